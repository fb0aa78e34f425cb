import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, aSilentNumber, BUSY, callWhen, HANGS_UP } from '../factories/call.js';
import { beginWebCall, Browser } from '../factories/web-call.js';
import { database } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { journalOf } from '../support/sandbox.js';

const RINGS_ON = '+15005550011';
const OVER = { status: 422, body: { message: 'The call is over.' } };
const DONE = { status: 200, body: { message: 'Call ended successfully' } };

let user: TestAccount;
let assistantId: number;
let receiver: Receiver;

beforeAll(async () => {
  user = await anAccount();
  receiver = await Receiver.open();
  assistantId = await anAssistant(user, {
    initial_message: 'Hello, how can I help you?',
    post_call_evaluation: false,
    is_webhook_active: true,
    webhook_url: receiver.url,
  });
});

afterAll(() => receiver.close());

const end = async (id: number) => {
  const { status, body } = await user.client.post(`/user/calls/${id}/end`);
  return { status, body };
};
const withStatus = (id: number, wanted: string) => callWhen(user, id, ({ status }) => status === wanted);
/** As the list of calls has them. */
const runningIds = async (): Promise<number[]> => {
  const path = '/user/calls?status=running';
  const { body } = await user.client.get<{ data: { id: number }[]; total: number }>(path);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ id }) => id);
};
const chargesOf = async (id: number): Promise<number> => {
  const { body } = await user.client.get<{ data: { kind: string; reference: string }[] }>('/user/ledger');
  return body.data.filter(({ kind, reference }) => kind === 'call' && reference === String(id)).length;
};

describe('the end of a call that its user requests', () => {
  it('hangs up a running call at the carrier, which is charged and reported once, also for repeated requests', async () => {
    const id = await aCall(user, assistantId, { phoneNumber: aSilentNumber(7) });
    await withStatus(id, 'in-progress');
    const answers = await Promise.all([end(id), end(id)]);
    for (const answer of answers) expect([DONE, OVER]).toContainEqual(answer);
    expect(answers).toContainEqual(DONE);
    expect(await withStatus(id, 'completed')).toMatchObject({
      ended_by: 'system',
      ended_reason: 'ended_by_user',
    });
    expect(await end(id)).toEqual(OVER);
    const { rows } = await database().query<{ sid: string }>(
      'SELECT carrier_sid AS sid FROM calls WHERE id = $1',
      [id],
    );
    const journal = await journalOf(rows[0]?.sid ?? '');
    expect(journal.filter(({ kind }) => kind === 'refusal')).toEqual([]);
    await callWhen(user, id, ({ webhook_response }) => webhook_response['status_code'] === 200);
    expect(receiver.received.filter(({ body }) => body['id'] === id)).toHaveLength(1);
    expect(await chargesOf(id)).toBe(1);
  });

  it('ends a call that still rings without an answer and without a cost', async () => {
    const id = await aCall(user, assistantId, { phoneNumber: RINGS_ON });
    await withStatus(id, 'ringing');
    expect(await runningIds()).toContain(id);
    expect(await end(id)).toEqual(DONE);
    expect(await withStatus(id, 'no-answer')).toMatchObject({
      ended_reason: 'ended_by_user',
      total_cost: 0,
    });
    expect(await chargesOf(id)).toBe(0);
    expect(await runningIds()).not.toContain(id);
  });

  it('notifies the browser of a web call, whose words are kept', async () => {
    const call = await beginWebCall(user, { assistant_id: assistantId });
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    expect(await end(call.call_id)).toEqual(DONE);
    expect(await browser.frame(({ type }) => type === 'end')).toEqual({
      type: 'end',
      reason: 'ended_by_user',
    });
    expect(await browser.closed).toBe(1000);
    expect(await withStatus(call.call_id, 'completed')).toMatchObject({
      ended_by: 'system',
      ended_reason: 'ended_by_user',
      transcript: 'AI: Hello, how can I help you?',
    });
  });

  it('closes the line of a web call that no browser has opened', async () => {
    const call = await beginWebCall(user, { assistant_id: assistantId });
    await withStatus(await aCall(user, assistantId, { phoneNumber: BUSY }), 'busy');
    expect(await runningIds()).toEqual([call.call_id]);
    expect(await end(call.call_id)).toEqual(DONE);
    expect(await withStatus(call.call_id, 'no-answer')).toMatchObject({ ended_reason: 'ended_by_user' });
    await expect(Browser.open(call.url)).rejects.toThrow('404');
  });

  it('is refused for a call that ended by itself, and changes nothing', async () => {
    const id = await aCall(user, assistantId, { phoneNumber: HANGS_UP });
    const before = await withStatus(id, 'completed');
    expect(await end(id)).toEqual(OVER);
    expect(await withStatus(id, 'completed')).toMatchObject({
      ended_by: 'customer',
      ended_reason: Reflect.get(before, 'ended_reason'),
    });
  });
});
