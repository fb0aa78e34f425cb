import { beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import { Visitor } from '../factories/conversation.js';
import { auditLog } from '../support/audit.js';
import { runCommand } from '../support/command.js';
import { CARRIER_FAILS } from '../support/sms.js';
import {
  ACCOUNT_LIMIT,
  KEY_LIMIT,
  keyInList,
  limitAccount,
  limitOf,
  passAnHour,
  sendSms,
  SMS_PRICE,
  spendLimit,
  type Refusal,
} from '../support/spending.js';
import { until } from '../support/until.js';

let user: TestAccount;

beforeEach(async () => {
  user = await anAccount();
});

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:00:00\.000000Z$/;

describe('the spend limit of an account', () => {
  it('is none until it is set, and is removed with null', async () => {
    const none = {
      spend_limit_per_hour: null,
      spent_this_hour: 0,
      hour_ends_at: expect.stringMatching(INSTANT),
    };
    expect(await spendLimit(user.client)).toEqual(none);
    const answer = await limitAccount(user, 12.5);
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Spend limit updated successfully', data: { ...none, spend_limit_per_hour: 12.5 } },
    ]);
    expect((await user.client.put('/user/spend-limit', {})).body).toEqual(answer.body);
    expect((await limitAccount(user, null)).body.data).toEqual(none);
    const [entry] = (await auditLog(user, 'action=account.update')).slice(-1);
    expect(entry).toMatchObject({
      fields: ['spend_limit_per_hour'],
      details: { spend_limit_per_hour: 12.5 },
    });
  });

  it('is changed by keys with admin only', async () => {
    const { client } = await anApiKey(user, { scopes: ['read', 'write'] });
    expect((await client.put('/user/spend-limit', { spend_limit_per_hour: null })).status).toBe(403);
    expect((await client.get('/user/spend-limit')).status).toBe(200);
  });

  it('refuses messages at the limit, of every key, until the next hour', async () => {
    await limitAccount(user, SMS_PRICE);
    const { client } = await anApiKey(user);
    expect((await sendSms(user, client)).status).toBe(200);
    for (const one of [client, user.client]) expect(limitOf(await sendSms(user, one))).toBe(ACCOUNT_LIMIT);
    expect((await spendLimit(user.client)).spent_this_hour).toBe(SMS_PRICE);
    const other = await anAccount();
    expect((await sendSms(other, other.client)).status).toBe(200);
    await passAnHour(user);
    expect((await spendLimit(user.client)).spent_this_hour).toBe(0);
    expect((await sendSms(user, user.client)).status).toBe(200);
  });

  it('of 0 stops everything that costs', async () => {
    await limitAccount(user, 0);
    expect(limitOf(await sendSms(user, user.client))).toBe(ACCOUNT_LIMIT);
    const assistant_id = await anAssistant(user);
    const web = await user.client.post<Refusal>('/user/web-calls', { assistant_id });
    expect(limitOf(web)).toBe(ACCOUNT_LIMIT);
    const [found] = (
      await user.client.get<{ data: { phone_number: string }[] }>(
        '/user/phone-numbers/search?country_code=US',
      )
    ).body.data;
    const order = { phone_number: found?.phone_number };
    expect(limitOf(await user.client.post<Refusal>('/user/phone-numbers/purchase', order))).toBe(
      ACCOUNT_LIMIT,
    );
    expect((await user.client.get<{ total_balance: number }>('/user/me')).body.total_balance).toBe(100);
  });
});

describe('the spend limit of an API key', () => {
  it('limits what the key spends, and no other key', async () => {
    const limited = await anApiKey(user, { spend_limit_per_hour: 2 * SMS_PRICE });
    const other = await anApiKey(user, { spend_limit_per_hour: 1 });
    for (const status of [200, 200, 429]) expect((await sendSms(user, limited.client)).status).toBe(status);
    expect(limitOf(await sendSms(user, limited.client))).toBe(KEY_LIMIT);
    for (const { client } of [other, user]) expect((await sendSms(user, client)).status).toBe(200);
    expect(await keyInList(user, limited.id)).toMatchObject({
      spend_limit_per_hour: 2 * SMS_PRICE,
      spent_this_hour: 2 * SMS_PRICE,
    });
    expect(await keyInList(user, other.id)).toMatchObject({ spent_this_hour: SMS_PRICE });
    await passAnHour(user);
    expect((await sendSms(user, limited.client)).status).toBe(200);
  });

  it('lets as many of concurrent messages pass as it pays for', async () => {
    const { client } = await anApiKey(user, { spend_limit_per_hour: 4 * SMS_PRICE });
    const answers = await Promise.all(Array.from({ length: 30 }, () => sendSms(user, client)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter((answer) => limitOf(answer) === KEY_LIMIT)).toHaveLength(26);
  });

  it('does not count what was given back', async () => {
    const { client, id } = await anApiKey(user, { spend_limit_per_hour: SMS_PRICE });
    expect((await sendSms(user, client, { to: CARRIER_FAILS })).status).toBe(500);
    expect(await keyInList(user, id)).toMatchObject({ spent_this_hour: 0 });
    expect((await sendSms(user, client)).status).toBe(200);
  });

  it('is changed and removed by another key, and not raised by its own', async () => {
    const { client, id } = await anApiKey(user, { spend_limit_per_hour: 5 });
    const path = `/user/api-keys/${id}`;
    const text = 'The spend limit per hour field must not be raised by the key that it limits.';
    for (const spend_limit_per_hour of [6, null]) {
      const { status, body } = await client.put(path, { spend_limit_per_hour });
      expect([status, body]).toEqual([
        422,
        { message: 'The given data was invalid.', errors: { spend_limit_per_hour: [text] } },
      ]);
    }
    const lowered = await client.put<{ data: object }>(path, { spend_limit_per_hour: 4, name: 'Less' });
    expect(lowered.body.data).toMatchObject({ name: 'Less', spend_limit_per_hour: 4 });
    expect((await client.put<{ data: object }>(path, { name: 'As before' })).body.data).toMatchObject({
      spend_limit_per_hour: 4,
    });
    const removed = await user.client.put<{ data: object }>(path, { spend_limit_per_hour: null });
    expect(removed.body.data).toMatchObject({ spend_limit_per_hour: null });
    const [entry] = await auditLog(user, `action=api-key.update&resource_id=${id}`);
    expect(entry).toMatchObject({
      fields: ['spend_limit_per_hour'],
      details: { spend_limit_per_hour: null },
    });
  });

  it('lets a repeated request with its Idempotency-Key pass in the next hour', async () => {
    const { client } = await anApiKey(user, { spend_limit_per_hour: 0 });
    const headers = { 'Idempotency-Key': `limited-${user.id}` };
    expect((await sendSms(user, client, { headers })).status).toBe(429);
    await user.client.put(`/user/api-keys/${(await newestKey()).id}`, { spend_limit_per_hour: 1 });
    const answer = await sendSms(user, client, { headers });
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  it('refuses messages of conversations, in the form of their routes', async () => {
    const assistant_id = await anAssistant(user);
    const { client } = await anApiKey(user, { spend_limit_per_hour: 0.01 });
    const begun = await client.post<{ conversation_id: string }>('/conversations', {
      assistant_id,
      type: 'api',
    });
    expect(begun.status).toBe(200);
    const path = `/conversations/${begun.body.conversation_id}/messages`;
    expect((await client.post(path, { message: 'Hello' })).status).toBe(200);
    const refused = await client.post<Refusal>(path, { message: 'One more' });
    expect(limitOf(refused)).toBe(KEY_LIMIT);
    expect(refused.body).toMatchObject({ status: false, error: KEY_LIMIT });
    const reply = await client.post<Refusal>('/user/ai/generate-reply', {
      assistant_id,
      customer_identifier: 'crm-1',
      message: 'Hello',
    });
    expect(limitOf(reply)).toBe(KEY_LIMIT);
    expect(reply.body).toMatchObject({ success: false, error: KEY_LIMIT, code: 'SPEND_LIMIT_REACHED' });
    expect((await user.client.post(path, { message: 'Of another key' })).status).toBe(200);
  });

  it('is not that of visitors, whom the limit of the account stops', async () => {
    const id = await anAssistant(user, { calls_direction: 'receive', widget_settings: WIDGET });
    const { body } = await user.client.get<{ data: { uuid: string } }>(`/user/assistant/${id}`);
    const visitor = new Visitor();
    const conversation = await visitor.began(body.data.uuid);
    await limitAccount(user, 0);
    expect(limitOf(await visitor.say<Refusal>(conversation, 'Hello'))).toBe(ACCOUNT_LIMIT);
    await limitAccount(user, null);
    expect((await visitor.say(conversation, 'Hello')).status).toBe(200);
    expect((await newestKey()).spent_this_hour).toBe(0);
  });
});

it('is written to the audit log once an hour, and leaves a consistent ledger', async () => {
  const { client, id } = await anApiKey(user, { spend_limit_per_hour: SMS_PRICE });
  await Promise.all(Array.from({ length: 5 }, () => sendSms(user, client)));
  const entries = () => auditLog(user, 'action=api-key.reach-spend-limit');
  const [entry] = await until(async () => {
    const found = await entries();
    return found.length > 0 && found;
  });
  expect(entry).toMatchObject({
    actor: { type: 'system' },
    resource: { type: 'api-key', id: String(id) },
    details: { spend_limit_per_hour: SMS_PRICE, spent: SMS_PRICE },
  });
  await passAnHour(user);
  await Promise.all(Array.from({ length: 5 }, () => sendSms(user, client)));
  expect(await until(async () => (await entries()).length >= 2 && (await entries()))).toHaveLength(2);
  const { output } = await runCommand(['accounts', 'verify', '--json']);
  const { findings } = JSON.parse(output) as { findings: { accountId: number }[] };
  expect(findings.filter(({ accountId }) => accountId === user.id)).toEqual([]);
});

const WIDGET = { enabled: true, allowed_origins: ['https://shop.example'] };

async function newestKey(): Promise<{ id: number; spent_this_hour: number }> {
  const { body } = await user.client.get<{ api_keys: { id: number; spent_this_hour: number }[] }>(
    '/user/api-keys',
  );
  return body.api_keys[0] ?? { id: 0, spent_this_hour: -1 };
}
