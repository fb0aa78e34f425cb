import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { Client } from '../support/client.js';

const URL = 'https://example.com/calls';
const OTHER_URL = 'https://example.com/inbound';
const SWITCHES = [
  'enable-webhook',
  'disable-webhook',
  'enable-inbound-webhook',
  'disable-inbound-webhook',
  'enable-conversation-ended-webhook',
  'disable-conversation-ended-webhook',
];

describe('webhook switches of assistants', () => {
  let one: TestAccount;
  let other: TestAccount;
  let id: number;

  const flip = async (name: string, body: object, account = one) => {
    const answer = await account.client.post(`/user/assistants/${name}`, body);
    return [answer.status, answer.body];
  };
  const state = async () => {
    const { body } = await one.client.get<{ data: Record<string, unknown> }>(`/user/assistant/${id}`);
    const { is_webhook_active, webhook_url, inbound_webhook_url } = body.data;
    return { is_webhook_active, webhook_url, inbound_webhook_url };
  };
  const off = { is_webhook_active: false, webhook_url: null, inbound_webhook_url: null };

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
  });

  beforeEach(async () => {
    id = await anAssistant(one);
  });

  it('enable and disable the post-call webhook; disabling removes the URL and keeps the inbound one', async () => {
    await flip('enable-inbound-webhook', { assistant_id: id, webhook_url: OTHER_URL });
    expect(await flip('enable-webhook', { assistant_id: id, webhook_url: URL })).toEqual([
      200,
      { message: 'Webhook enabled successfully', data: [] },
    ]);
    expect(await state()).toEqual({
      is_webhook_active: true,
      webhook_url: URL,
      inbound_webhook_url: OTHER_URL,
    });
    expect(await flip('disable-webhook', { assistant_id: id })).toEqual([
      200,
      { message: 'Webhook disabled successfully', data: [] },
    ]);
    expect(await state()).toEqual({ ...off, inbound_webhook_url: OTHER_URL });
  });

  it('enable and disable the inbound webhook and leave the post-call one', async () => {
    await flip('enable-webhook', { assistant_id: id, webhook_url: URL });
    expect(await flip('enable-inbound-webhook', { assistant_id: id, webhook_url: OTHER_URL })).toEqual([
      200,
      { message: 'Inbound webhook enabled successfully', data: [] },
    ]);
    expect(await state()).toEqual({
      is_webhook_active: true,
      webhook_url: URL,
      inbound_webhook_url: OTHER_URL,
    });
    expect(await flip('disable-inbound-webhook', { assistant_id: String(id) })).toEqual([
      200,
      { message: 'Inbound webhook disabled successfully', data: [] },
    ]);
    expect(await state()).toEqual({ is_webhook_active: true, webhook_url: URL, inbound_webhook_url: null });
  });

  it('enable and disable the webhook of text conversations', async () => {
    const url = async () =>
      (await one.client.get<{ data: Record<string, unknown> }>(`/user/assistant/${id}`)).body.data[
        'conversation_ended_webhook_url'
      ];
    const given = { assistant_id: id, webhook_url: URL };
    expect(await flip('enable-conversation-ended-webhook', given)).toEqual([
      200,
      { message: 'Conversation ended webhook enabled successfully', data: [] },
    ]);
    expect([await url(), await state()]).toEqual([URL, off]);
    expect(await flip('disable-conversation-ended-webhook', { assistant_id: id })).toEqual([
      200,
      { message: 'Conversation ended webhook disabled successfully', data: [] },
    ]);
    expect(await url()).toBeNull();
  });

  it('succeed and change nothing when the webhook is disabled', async () => {
    expect((await flip('disable-webhook', { assistant_id: id }))[0]).toBe(200);
    expect((await flip('disable-inbound-webhook', { assistant_id: id }))[0]).toBe(200);
    expect(await state()).toEqual(off);
  });

  it.each(SWITCHES)('%s: assistant not found or not the user’s', async (name) => {
    const deleted = await anAssistant(other);
    await other.client.delete(`/user/assistant/${deleted}`);
    for (const assistant_id of [id, deleted, 2_147_483_647]) {
      const answer = await flip(name, { assistant_id, webhook_url: URL }, other);
      expect(answer).toEqual([404, { message: 'Assistant not found' }]);
    }
    expect(await state()).toEqual(off);
  });

  it.each(SWITCHES)('%s: assistant_id missing', async (name) => {
    expect(await flip(name, { webhook_url: URL })).toEqual([
      422,
      {
        message: 'The given data was invalid.',
        errors: { assistant_id: ['The assistant id field is required.'] },
      },
    ]);
  });

  it.each(SWITCHES)('%s: assistant_id invalid', async (name) => {
    const errors = [
      ['5abc', 'The assistant id field must be an integer.'],
      [0, 'The assistant id field must be between 1 and 2147483647.'],
      [2_147_483_648, 'The assistant id field must be between 1 and 2147483647.'],
    ];
    for (const [assistant_id, text] of errors) {
      expect(await flip(name, { assistant_id, webhook_url: URL })).toEqual([
        422,
        { message: 'The given data was invalid.', errors: { assistant_id: [text] } },
      ]);
    }
  });

  it.each(['enable-webhook', 'enable-inbound-webhook'])('%s: webhook_url missing or no URL', async (name) => {
    const bodies = [
      [{}, 'The webhook url field is required.'],
      [{ webhook_url: null }, 'The webhook url field is required.'],
      [{ webhook_url: 'nowhere' }, 'The webhook url field must be a valid URL.'],
    ] as const;
    for (const [body, text] of bodies) {
      expect(await flip(name, { assistant_id: id, ...body })).toEqual([
        422,
        { message: 'The given data was invalid.', errors: { webhook_url: [text] } },
      ]);
    }
    expect(await state()).toEqual(off);
  });

  it.each(SWITCHES)('%s: 401 without a token', async (name) => {
    const { status, body } = await new Client(null).post(`/user/assistants/${name}`, { assistant_id: id });
    expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
  });
});
