import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aTestDelivery } from '../factories/webhook.js';
import type { Answer, Client } from '../support/client.js';
import { database } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/** docs/build/adr/0006: for this long a sender may use a URL that it has read. */
const VALID_MS = 500;
/** Connections that the service opens to one host and port; further requests wait for one of them. */
const CONNECTIONS = 64;
/** Requests that it sends to one host for one account at a time. */
const PER_ACCOUNT = 8;

const disable = (client: Client, id: number): Promise<Answer> =>
  client.post('/user/assistants/disable-webhook', { assistant_id: id });

describe('a webhook that is disabled between check and request', () => {
  let user: TestAccount;
  let receiver: Receiver;
  const receivers: Receiver[] = [];

  const openReceiver = async (): Promise<Receiver> => {
    const opened = await Receiver.open();
    receivers.push(opened);
    return opened;
  };
  const assistant = (account = user, { url } = receiver) =>
    anAssistant(account, { is_webhook_active: true, webhook_url: url, inbound_webhook_url: url });

  beforeAll(async () => {
    [user, receiver] = await Promise.all([anAccount(), openReceiver()]);
  });
  afterAll(async () => void (await Promise.all(receivers.map((opened) => opened.close()))));

  /** Whether the database has it, and the answer waits. */
  const isInactive = async (id: number): Promise<boolean> => {
    const { rowCount } = await database().query(
      'SELECT FROM assistants WHERE id = $1 AND NOT is_webhook_active',
      [id],
    );
    return rowCount === 1;
  };

  const changes: [string, (client: Client, id: number) => Promise<Answer>][] = [
    ['disable-webhook', disable],
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

  it.each(changes)('%s waits until no sender may use the previous URL', async (_name, change) => {
    const id = await assistant();
    const begun = performance.now();
    const { status } = await change(user.client, id);
    expect(status).toBe(200);
    expect(performance.now() - begun).toBeGreaterThan(VALID_MS);
  });

  const others: [string, (client: Client) => Promise<(id: number) => Promise<Answer>>][] = [
    [
      'an update of other fields',
      async (client) => {
        const id = await assistant();
        return () => client.put(`/user/assistant/${id}`, { assistant_name: 'Ada' });
      },
    ],
    [
      'the first URL',
      async (client) => {
        const id = await anAssistant(user);
        return () =>
          client.post('/user/assistants/enable-webhook', { assistant_id: id, webhook_url: receiver.url });
      },
    ],
  ];

  it.each(others)('does not delay %s', async (_name, prepare) => {
    await until(async () => {
      const id = await assistant();
      const update = await prepare(user.client);
      let isDisabled = false;
      const disabling = disable(user.client, id).finally(() => (isDisabled = true));
      await until(() => isInactive(id));
      expect((await update(id)).status).toBe(200);
      // On a slow machine it may be answered second, but not each time.
      const wasFirst = !isDisabled;
      await disabling;
      return wasFirst;
    });
  });

  it('is not sent by a request that has waited for its connection', async () => {
    const busy = await openReceiver();
    let respond = (): void => undefined;
    const response = new Promise<void>((resolve) => (respond = resolve));
    busy.reply = () => ({ after: response });
    const accounts = await Promise.all(Array.from({ length: CONNECTIONS / PER_ACCOUNT }, () => anAccount()));
    const sending = accounts.map(async (account) => {
      const id = await assistant(account, busy);
      await Promise.all(Array.from({ length: PER_ACCOUNT }, () => aTestDelivery(account, id)));
    });
    await busy.requests(CONNECTIONS);
    const id = await assistant(user, busy);
    const delivery = aTestDelivery(user, id);
    await until(async () => {
      const { rowCount } = await database().query(
        'SELECT FROM webhook_deliveries WHERE assistant_id = $1 AND claims = 1',
        [id],
      );
      return rowCount === 1;
    });
    await disable(user.client, id);
    respond();
    await Promise.all(sending);
    expect((await delivery).attempts).toEqual([]);
    expect(busy.received).toHaveLength(CONNECTIONS);
  });

  it('is sent to its new URL by requests that follow others immediately', async () => {
    const id = await assistant();
    const next = await openReceiver();
    const sentBefore = receiver.received.length;
    expect((await aTestDelivery(user, id)).status).toBe('delivered');
    await user.client.put(`/user/assistant/${id}`, { webhook_url: next.url });
    expect((await aTestDelivery(user, id)).status).toBe('delivered');
    expect(receiver.received).toHaveLength(sentBefore + 1);
    expect(next.received).toHaveLength(1);
  });

  it('can be changed while requests leave without a pause', async () => {
    const id = await assistant();
    const next = await openReceiver();
    const sentBefore = receiver.received.length;
    let isChanged = false;
    const send = async (): Promise<void> => {
      while (!isChanged) await aTestDelivery(user, id);
    };
    const sending = Promise.all([send(), send(), send()]);
    await receiver.requests(sentBefore + 3);
    await user.client.put(`/user/assistant/${id}`, { webhook_url: next.url });
    const sent = receiver.received.length;
    isChanged = true;
    await sending;
    await aTestDelivery(user, id);
    expect(receiver.received).toHaveLength(sent);
  });
});
