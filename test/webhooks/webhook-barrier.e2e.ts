import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aTestDelivery } from '../factories/webhook.js';
import type { Answer, Client } from '../support/client.js';
import { databaseUrl } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/** docs/adr/0006: senders hold it shared from the check of the webhook until the request is dispatched. */
const SEND_LOCK = 4_711_002;
/** A change of a webhook sends the assistant's id here when it begins to wait for senders. */
const STOP_CHANNEL = 'send_stop';

describe('a webhook that is disabled between check and request', () => {
  let user: TestAccount;
  let receiver: Receiver;
  let session: pg.Client;

  const hold = (mode: '' | '_shared', id: number) =>
    session.query(`SELECT pg_advisory_lock${mode}($1, $2)`, [SEND_LOCK, id]);
  const release = (mode: '' | '_shared', id: number) =>
    session.query(`SELECT pg_advisory_unlock${mode}($1, $2)`, [SEND_LOCK, id]);
  const stops = new Set<number>();
  const stopped = (id: number) => until(async () => stops.has(id));
  /** Whether a sender waits for the lock. */
  const isWaitedFor = async (id: number): Promise<boolean> => {
    const { rowCount } = await session.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND NOT granted`,
      [SEND_LOCK, id],
    );
    return rowCount === 1;
  };
  const isHeld = async (id: number): Promise<boolean> => {
    const { rowCount } = await session.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND granted`,
      [SEND_LOCK, id],
    );
    return rowCount !== 0;
  };
  const assistant = () => anAssistant(user, { is_webhook_active: true, webhook_url: receiver.url });

  beforeAll(async () => {
    [user, receiver] = await Promise.all([anAccount(), Receiver.open()]);
    session = new pg.Client({ connectionString: databaseUrl() });
    session.on('notification', ({ payload }) => stops.add(Number(payload)));
    await session.connect();
    await session.query(`LISTEN ${STOP_CHANNEL}`);
  });
  afterAll(async () => {
    await session.end();
    await receiver.close();
  });

  const changes: [string, (client: Client, id: number) => Promise<Answer>][] = [
    [
      'disable-webhook',
      (client, id) => client.post('/user/assistants/disable-webhook', { assistant_id: id }),
    ],
    [
      'disable-inbound-webhook',
      (client, id) => client.post('/user/assistants/disable-inbound-webhook', { assistant_id: id }),
    ],
    [
      'enable-webhook with another URL',
      (client, id) =>
        client.post('/user/assistants/enable-webhook', {
          assistant_id: id,
          webhook_url: 'https://example.com/',
        }),
    ],
    ['an update to no URL', (client, id) => client.put(`/user/assistant/${id}`, { webhook_url: null })],
    [
      'an update to inactive',
      (client, id) => client.put(`/user/assistant/${id}`, { is_webhook_active: false }),
    ],
    ['a deletion', (client, id) => client.delete(`/user/assistant/${id}`)],
  ];

  it.each(changes)('%s waits for a sender that has checked already', async (_name, change) => {
    const id = await assistant();
    await hold('_shared', id);
    let answered = false;
    const answer = change(user.client, id).finally(() => (answered = true));
    await stopped(id);
    // Slower than an answer that does not wait for the lock.
    for (let turn = 0; turn < 5; turn++) await user.client.get('/user/assistants');
    expect(answered).toBe(false);
    await release('_shared', id);
    expect((await answer).status).toBe(200);
  });

  it('does not delay updates of other fields', async () => {
    const id = await assistant();
    await hold('_shared', id);
    const { status } = await user.client.put(`/user/assistant/${id}`, { assistant_name: 'Ada' });
    expect(status).toBe(200);
    await release('_shared', id);
  });

  it('is not sent without the lock', async () => {
    const id = await assistant();
    await hold('', id);
    const delivery = aTestDelivery(user, id);
    await until(() => isWaitedFor(id));
    expect(receiver.received).toEqual([]);
    await release('', id);
    expect((await delivery).status).toBe('delivered');
    expect(receiver.received).toHaveLength(1);
  });

  it('is sent to its new URL by requests that come right after others', async () => {
    const id = await assistant();
    const next = await Receiver.open();
    const sentBefore = receiver.received.length;
    expect((await aTestDelivery(user, id)).status).toBe('delivered');
    await user.client.put(`/user/assistant/${id}`, { webhook_url: next.url });
    expect((await aTestDelivery(user, id)).status).toBe('delivered');
    expect(receiver.received).toHaveLength(sentBefore + 1);
    expect(next.received).toHaveLength(1);
    await next.close();
  });

  it('gives the lock back when no more requests come', async () => {
    const id = await assistant();
    await aTestDelivery(user, id);
    await until(async () => !(await isHeld(id)));
  });

  it('takes no lock for a moment after a stop', async () => {
    const id = await assistant();
    await hold('', id);
    const told = performance.now();
    await session.query(`SELECT pg_notify('${STOP_CHANNEL}', $1)`, [String(id)]);
    await stopped(id);
    const delivery = aTestDelivery(user, id);
    await until(() => isWaitedFor(id));
    const waitedMs = performance.now() - told;
    await release('', id);
    expect((await delivery).status).toBe('delivered');
    expect(waitedMs).toBeGreaterThan(100);
  });

  it('can be changed while requests leave without a pause', async () => {
    const id = await assistant();
    const next = await Receiver.open();
    let isChanged = false;
    const send = async (): Promise<void> => {
      while (!isChanged) await aTestDelivery(user, id);
    };
    const sending = Promise.all([send(), send(), send()]);
    await until(() => isHeld(id));
    await user.client.put(`/user/assistant/${id}`, { webhook_url: next.url });
    const sent = receiver.received.length;
    isChanged = true;
    await sending;
    await aTestDelivery(user, id);
    expect(receiver.received).toHaveLength(sent);
    await next.close();
  });
});
