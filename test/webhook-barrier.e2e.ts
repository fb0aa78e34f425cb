import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { anAccount, type TestAccount } from './factories/account.js';
import { anAssistant } from './factories/assistant.js';
import { aTestDelivery } from './factories/webhook.js';
import type { Answer, Client } from './support/client.js';
import { databaseUrl } from './support/database.js';
import { Receiver } from './support/receiver.js';

/** docs/adr/0006: senders hold it shared from their look at the webhook until the request has left. */
const SEND_LOCK = 4_711_002;
/** Enough for an answer that waits for nothing. */
const MOMENT_MS = 400;

describe('a webhook that is disabled between check and request', () => {
  let user: TestAccount;
  let receiver: Receiver;
  let session: pg.Client;

  const hold = (mode: '' | '_shared', id: number) =>
    session.query(`SELECT pg_advisory_lock${mode}($1, $2)`, [SEND_LOCK, id]);
  const letGo = (mode: '' | '_shared', id: number) =>
    session.query(`SELECT pg_advisory_unlock${mode}($1, $2)`, [SEND_LOCK, id]);
  const assistant = () => anAssistant(user, { is_webhook_active: true, webhook_url: receiver.url });

  beforeAll(async () => {
    [user, receiver] = await Promise.all([anAccount(), Receiver.open()]);
    session = new pg.Client({ connectionString: databaseUrl() });
    await session.connect();
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

  it.each(changes)('%s waits for who has looked already', async (_name, change) => {
    const id = await assistant();
    await hold('_shared', id);
    let answered = false;
    const answer = change(user.client, id).finally(() => (answered = true));
    await sleep(MOMENT_MS);
    expect(answered).toBe(false);
    await letGo('_shared', id);
    expect((await answer).status).toBe(200);
  });

  it('does not delay updates of other fields', async () => {
    const id = await assistant();
    await hold('_shared', id);
    const { status } = await user.client.put(`/user/assistant/${id}`, { assistant_name: 'Ada' });
    expect(status).toBe(200);
    await letGo('_shared', id);
  });

  it('is not sent without the lock', async () => {
    const id = await assistant();
    await hold('', id);
    const delivery = aTestDelivery(user, id);
    await sleep(MOMENT_MS);
    expect(receiver.received).toEqual([]);
    await letGo('', id);
    expect((await delivery).status).toBe('delivered');
    expect(receiver.received).toHaveLength(1);
  });
});
