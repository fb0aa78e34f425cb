import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import {
  type ClaimedDelivery,
  DeliveriesRepository,
} from '#src/modules/webhooks/delivery/deliveries.repository.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall } from '../factories/call.js';
import {
  aTestDelivery,
  deliveriesOf,
  deliveryDetail,
  deliveryWhen,
  secretOf,
  verified,
} from '../factories/webhook.js';
import { database } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/** Nothing is sent again by itself during the test. */
const FAILS_FOR_LONG = { status: 500, headers: { 'retry-after': '3600' } };

const state = async ({ client }: TestAccount, id: number) => {
  const { body } = await client.get<{ data: Record<string, unknown> }>(`/user/assistant/${id}`);
  return { is_webhook_active: body.data.is_webhook_active, webhook_url: body.data.webhook_url };
};

describe('a webhook that fails', () => {
  let user: TestAccount;
  let other: TestAccount;
  const receivers: Receiver[] = [];

  const receiver = async (): Promise<Receiver> => {
    const opened = await Receiver.open();
    receivers.push(opened);
    return opened;
  };
  const assistantFor = ({ url }: Receiver, account = user) =>
    anAssistant(account, { is_webhook_active: true, webhook_url: url });

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount(), anAccount()]);
  });
  afterAll(async () => void (await Promise.all(receivers.map((opened) => opened.close()))));

  it('is retried with the same id and body and a new signature, not before Retry-After', async () => {
    const failing = await receiver();
    failing.reply = () =>
      failing.received.length === 1
        ? { status: 503, headers: { 'retry-after': '3600' }, body: 'later' }
        : { status: 204, body: '' };
    const id = await aCall(user, await assistantFor(failing));
    const failed = await deliveryWhen(user, id, ({ attempts_count }) => attempts_count === 1);
    const { rows } = await database().query<{ at: Date }>(
      'SELECT due_at AS at FROM webhook_deliveries WHERE id = $1',
      [failed.id],
    );
    const [{ at: firstAt = Infinity } = {}] = failing.received;
    expect(rows[0]?.at.getTime()).toBeGreaterThanOrEqual(firstAt + 3_600_000 - 1_000);
    // The hour is over; a signature has the time in seconds.
    await until(async () => Math.floor(Date.now() / 1_000) > Math.floor(firstAt / 1_000));
    await database().query('UPDATE webhook_deliveries SET due_at = now() WHERE id = $1', [failed.id]);
    const [first, second] = await failing.requests(2);
    if (!first || !second) throw new Error('two requests were awaited');
    expect(second.text).toBe(first.text);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.headers['webhook-timestamp']).not.toBe(first.headers['webhook-timestamp']);
    verified(await secretOf(user), second);
    const delivered = await deliveryWhen(user, id, ({ status }) => status === 'delivered');
    const { attempts, body } = await deliveryDetail(user, delivered.id);
    expect(body).toBe(first.text);
    expect(attempts).toMatchObject([
      { number: 1, url: failing.url, status_code: 503, response_body: 'later', error: null },
      { number: 2, url: failing.url, status_code: 204, response_body: '', error: null },
    ]);
  });

  it('logs each failure, with 4 KiB of the response', async () => {
    const failing = await receiver();
    failing.reply = () => ({ status: 302, headers: { location: failing.url }, body: 'x'.repeat(5_000) });
    const redirected = await aTestDelivery(user, await assistantFor(failing));
    expect(failing.received).toHaveLength(1);
    expect(redirected).toMatchObject({
      status: 'dead',
      reason: 'The test failed: the receiver answered 302',
      attempts: [{ status_code: 302, response_body: 'x'.repeat(4_096) }],
    });
    failing.reply = () => ({ reset: true });
    const cut = await aTestDelivery(user, await assistantFor(failing));
    expect(cut.attempts).toMatchObject([
      { status_code: null, response_body: null, error: expect.stringMatching(/^reset: /) },
    ]);
  });

  it('is disabled by a 410', async () => {
    const gone = await receiver();
    gone.reply = () => ({ status: 410 });
    const assistantId = await assistantFor(gone);
    const id = await aCall(other, await assistantFor(gone, other));
    const delivery = await deliveryWhen(other, id, ({ status }) => status === 'dead');
    expect(delivery.reason).toBe('The receiver answered 410: its webhook was switched off.');
    const switchedOff = await until(async () => {
      const now = await state(other, delivery.assistant_id);
      return !now.is_webhook_active && now;
    });
    expect(switchedOff).toEqual({ is_webhook_active: false, webhook_url: null });
    expect(await state(user, assistantId)).toEqual({ is_webhook_active: true, webhook_url: gone.url });
  });

  it('is disabled after five days of failures only', async () => {
    const failing = await receiver();
    failing.reply = () => FAILS_FOR_LONG;
    const account = await anAccount();
    const assistantId = await assistantFor(failing, account);
    const id = await aCall(account, assistantId);
    const first = await deliveryWhen(account, id, ({ attempts_count }) => attempts_count === 1);
    const age = `UPDATE webhook_failures SET since = now() - interval '5 days' WHERE assistant_id = $1`;
    await database().query(age, [assistantId]);
    await account.client.post(`/user/webhook-deliveries/${first.id}/replay`);
    const { reason } = await deliveryWhen(account, id, ({ status }) => status === 'cancelled');
    expect(reason).toBe('The receiver failed for five days: its webhook was switched off.');
    expect(await state(account, assistantId)).toEqual({ is_webhook_active: false, webhook_url: null });
  });

  it('restarts the five days after a success', async () => {
    const failing = await receiver();
    const account = await anAccount();
    const assistantId = await assistantFor(failing, account);
    const id = await aCall(account, assistantId);
    const { id: deliveryId } = await deliveryWhen(account, id, ({ status }) => status === 'delivered');
    failing.reply = () => FAILS_FOR_LONG;
    await account.client.post(`/user/webhook-deliveries/${deliveryId}/replay`);
    await deliveryWhen(account, id, ({ attempts_count }) => attempts_count === 2);
    const { rows } = await database().query<{ young: boolean }>(
      `SELECT since > now() - interval '1 minute' AS young FROM webhook_failures WHERE assistant_id = $1`,
      [assistantId],
    );
    expect(rows).toEqual([{ young: true }]);
  });

  it('is not sent after the disable endpoint has responded', async () => {
    const storm = await receiver();
    storm.reply = () => ({ status: 500, delayMs: 5 });
    const assistantId = await assistantFor(storm);
    let remaining = Infinity;
    const testing = Array.from({ length: 4 }, async () => {
      while (remaining-- > 0) {
        await user.client.post('/user/assistants/test-webhook', { assistant_id: assistantId });
      }
    });
    await storm.requests(20);
    const { status } = await user.client.post('/user/assistants/disable-webhook', {
      assistant_id: assistantId,
    });
    expect(status).toBe(200);
    // A request that was dispatched before the answer arrives before one that is sent after it.
    await fetch(storm.url, { method: 'POST', body: '{}' });
    await fetch(storm.url, { method: 'POST', body: '{}' });
    const { length } = storm.received;
    remaining = 20;
    await Promise.all(testing);
    expect(storm.received).toHaveLength(length);
  });

  it('is cancelled when the webhook is disabled in the meantime', async () => {
    const failing = await receiver();
    failing.reply = () => FAILS_FOR_LONG;
    const account = await anAccount();
    const assistantId = await assistantFor(failing, account);
    const id = await aCall(account, assistantId);
    const pending = await deliveryWhen(account, id, ({ attempts_count }) => attempts_count === 1);
    expect(pending).toMatchObject({ status: 'pending', next_attempt_at: expect.any(String) });
    await account.client.post('/user/assistants/disable-webhook', { assistant_id: assistantId });
    const cancelled = await deliveryWhen(account, id, ({ status }) => status === 'cancelled');
    expect(cancelled.reason).toBe('The webhook was switched off.');
    expect(failing.received).toHaveLength(1);
  });

  it('is cancelled after a thousand waiting ones of another assistant, which are kept', async () => {
    const failing = await receiver();
    // Not due before the end of the test: a delivery of a webhook that is off is cancelled also when it is due.
    failing.reply = () => ({ status: 503, headers: { 'retry-after': '3600' } });
    const account = await anAccount();
    const assistantId = await assistantFor(failing, account);
    const othersId = await assistantFor(failing, account);
    await database().query(
      `INSERT INTO webhook_deliveries (event_key, channel, event, webhook_id, account_id, assistant_id, url, receiver,
         body, due_at)
       SELECT 'wait:' || n, 'post-call', 'call.completed', 'msg_' || n, $1, $2, $3, '0', '{}',
         now() + interval '1 hour' FROM generate_series(1, 1001) AS n`,
      [account.id, othersId, failing.url],
    );
    const id = await aCall(account, assistantId);
    await deliveryWhen(account, id, ({ attempts_count }) => attempts_count === 1);
    await account.client.post('/user/assistants/disable-webhook', { assistant_id: assistantId });
    await deliveryWhen(account, id, ({ status }) => status === 'cancelled');
    const { rows } = await database().query(
      'SELECT state, count(*)::int FROM webhook_deliveries WHERE assistant_id = $1 GROUP BY state',
      [othersId],
    );
    expect(rows).toEqual([{ state: 'pending', count: 1001 }]);
  });

  it('is sent at once when the process that claimed it releases it', async () => {
    const failing = await receiver();
    failing.reply = () => ({ status: 503, headers: { 'retry-after': '3600' } });
    const id = await aCall(user, await assistantFor(failing));
    const waiting = await deliveryWhen(user, id, ({ attempts_count }) => attempts_count === 1);
    failing.reply = () => ({});
    const found = await database().query<ClaimedDelivery>(
      'SELECT *, claims AS claim FROM webhook_deliveries WHERE id = $1',
      [waiting.id],
    );
    const [claimed] = found.rows;
    if (!claimed) throw new Error('there is a delivery');
    const rows = new DeliveriesRepository(database() as unknown as DataSource, null as never);
    // The whole row, as a process has it that stops before it sends.
    await rows.requeueDelivery(claimed, claimed);
    await failing.requests(2);
    await deliveryWhen(user, id, ({ status }) => status === 'delivered');
  });

  it('goes to the new URL after a change', async () => {
    const [old, next] = [await receiver(), await receiver()];
    old.reply = () => FAILS_FOR_LONG;
    const account = await anAccount();
    const assistantId = await assistantFor(old, account);
    const id = await aCall(account, assistantId);
    const { id: deliveryId } = await deliveryWhen(account, id, ({ attempts_count }) => attempts_count === 1);
    await account.client.put(`/user/assistant/${assistantId}`, { webhook_url: next.url });
    await account.client.post(`/user/webhook-deliveries/${deliveryId}/replay`);
    await next.requests(1);
    await deliveryWhen(account, id, ({ status }) => status === 'delivered');
    expect(old.received).toHaveLength(1);
    expect(await deliveriesOf(account, `call_id=${id}`)).toMatchObject([{ url: next.url }]);
  });
});
