import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
import { Receiver, type Received } from '../support/receiver.js';
import { until } from '../support/until.js';

const ANY_DATE = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

let user: TestAccount;
let other: TestAccount;
let receiver: Receiver;
let assistantId: number;

beforeEach(async () => {
  [user, other, receiver] = await Promise.all([anAccount(), anAccount(), Receiver.open()]);
  assistantId = await anAssistant(user, { is_webhook_active: true, webhook_url: receiver.url });
});
afterEach(() => receiver.close());

describe('the signing secret', () => {
  it('is created once for each user', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => user.client.get('/user/webhook-secret')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body).toEqual({
      data: {
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        created_at: ANY_DATE,
        previous_signs_until: null,
      },
    });
    expect(await secretOf(other)).not.toBe(await secretOf(user));
  });

  it('can be rotated while another request creates the first one', async () => {
    const { id, client } = await anAccount();
    const elsewhere = await database().connect();
    try {
      await elsewhere.query('BEGIN');
      await elsewhere.query(
        `INSERT INTO webhook_secrets (account_id, secret) VALUES ($1, 'whsec_b3RoZXI=')`,
        [id],
      );
      const rotating = client.post<{ data: { secret: string } }>('/user/webhook-secret/rotate');
      await until(async () => {
        const { rows } = await database().query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO%webhook_secrets%'`,
        );
        return rows.length > 0;
      });
      await elsewhere.query('COMMIT');
      const { status, body } = await rotating;
      expect([status, body.data.secret === 'whsec_b3RoZXI=']).toEqual([200, false]);
    } finally {
      elsewhere.release();
    }
  });

  it('signs together with its successor after a rotation', async () => {
    const old = await secretOf(user);
    const rotated = await user.client.post<{ data: { secret: string } }>('/user/webhook-secret/rotate');
    expect(rotated.status).toBe(200);
    expect(rotated.body).toEqual({
      message: 'Webhook secret rotated successfully',
      data: { secret: await secretOf(user), created_at: ANY_DATE, previous_signs_until: ANY_DATE },
    });
    await aTestDelivery(user, assistantId);
    const request = receiver.received[0] as Received;
    expect(rotated.body.data.secret).not.toBe(old);
    expect(verified(old, request)).toEqual(verified(rotated.body.data.secret, request));
    expect(() => verified(`whsec_${'A'.repeat(43)}=`, request)).toThrow('No matching signature');
  });

  it('covers every byte and the time', async () => {
    await aTestDelivery(user, assistantId);
    const request = receiver.received[0] as Received;
    const secret = await secretOf(user);
    verified(secret, request);
    expect(() => verified(secret, { ...request, text: `${request.text} ` })).toThrow('No matching signature');
    const headers = { ...request.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 301) };
    expect(() => verified(secret, { ...request, headers })).toThrow('too old');
  });
});

describe('a test delivery', () => {
  it('is sent, marked as a test, and returns its outcome', async () => {
    const delivery = await aTestDelivery(user, assistantId);
    expect(delivery).toMatchObject({
      event: 'call.completed',
      channel: 'post-call',
      call_id: null,
      assistant_id: assistantId,
      status: 'delivered',
      test: true,
      attempts_count: 1,
      attempts: [{ number: 1, status_code: 200, response_body: '{"ok":true}' }],
    });
    const request = receiver.received[0] as Received;
    expect(verified(await secretOf(user), request)).toMatchObject({
      test: true,
      id: 0,
      status: 'completed',
      assistant_id: assistantId,
      extracted_variables: { status: null, summary: null },
      lead: null,
    });
    expect(request.text).toBe(delivery.body);
  });

  it('goes to the inbound channel on request', async () => {
    const send = () =>
      user.client.post<{ message: string; data: unknown }>('/user/assistants/test-webhook', {
        assistant_id: assistantId,
        channel: 'inbound',
      });
    expect(await send()).toMatchObject({
      status: 422,
      body: { message: 'The assistant has no active webhook on this channel.' },
    });
    const target = { assistant_id: assistantId, webhook_url: receiver.url };
    await user.client.post('/user/assistants/enable-inbound-webhook', target);
    expect(await send()).toMatchObject({
      status: 200,
      body: { message: 'Test webhook sent successfully', data: { channel: 'inbound', status: 'delivered' } },
    });
  });

  it('is refused for other users’ assistants', async () => {
    for (const id of [assistantId, 2_147_483_000]) {
      const answer = await other.client.post('/user/assistants/test-webhook', { assistant_id: id });
      expect([answer.status, answer.body]).toEqual([404, { message: 'Assistant not found' }]);
    }
    const without = await other.client.post('/user/assistants/test-webhook');
    expect(without.body).toMatchObject({ errors: { assistant_id: ['The assistant id field is required.'] } });
    expect(receiver.received).toEqual([]);
  });
});

describe('the log', () => {
  it('is paginated and filtered, newest first', async () => {
    const ids = [];
    for (const status of [200, 500, 200]) {
      receiver.reply = () => ({ status });
      ids.unshift((await aTestDelivery(user, assistantId)).id);
    }
    const listed = async (query: string) => (await deliveriesOf(user, query)).map(({ id }) => id);
    expect(await listed('')).toEqual(ids);
    expect(await listed('status=dead')).toEqual([ids[1]]);
    expect(await listed('status=delivered&per_page=1&page=2')).toEqual([ids[2]]);
    expect(await listed('channel=inbound')).toEqual([]);
    expect(await deliveriesOf(other, '')).toEqual([]);
    const wrong = await user.client.get('/user/webhook-deliveries?status=lost&call_id=0');
    expect([wrong.status, wrong.body]).toEqual([
      422,
      {
        message: 'The given data was invalid.',
        errors: {
          status: ['The selected status is invalid.'],
          call_id: ['The call id field must be between 1 and 2147483647.'],
        },
      },
    ]);
  });

  it('replays one delivery, with the same id', async () => {
    const id = await aCall(user, assistantId);
    const { id: deliveryId } = await deliveryWhen(user, id, ({ status }) => status === 'delivered');
    const replayed = await user.client.post(`/user/webhook-deliveries/${deliveryId}/replay`);
    expect(replayed).toMatchObject({
      status: 200,
      body: {
        message: 'Webhook delivery replayed successfully',
        data: { id: deliveryId, status: 'pending' },
      },
    });
    const [first, second] = await receiver.requests(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await deliveryWhen(user, id, ({ attempts_count }) => attempts_count === 2);
    const { attempts } = await deliveryDetail(user, deliveryId);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('sends a delivery once when it is replayed again while the first replay is in flight', async () => {
    const id = await aCall(user, assistantId);
    const { id: deliveryId } = await deliveryWhen(user, id, ({ status }) => status === 'delivered');
    let respond = (): void => undefined;
    const response = new Promise<void>((resolve) => (respond = resolve));
    receiver.reply = () => ({ after: response });
    const path = `/user/webhook-deliveries/${deliveryId}/replay`;
    await user.client.post(path);
    await receiver.requests(2);
    expect(await user.client.post(path)).toMatchObject({
      status: 200,
      body: { data: { status: 'pending' } },
    });
    // Due later than the second replay, so it is sent after it.
    const later = aTestDelivery(user, assistantId);
    await receiver.requests(3);
    respond();
    await later;
    await deliveryWhen(user, id, ({ status }) => status === 'delivered');
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids.filter((one) => one === ids[0])).toHaveLength(2);
  });

  it('replays all of a state since a time, of the user only', async () => {
    const id = await aCall(user, assistantId);
    await deliveryWhen(user, id, ({ status }) => status === 'delivered');
    const replay = async ({ client }: TestAccount, body: object) => {
      const answer = await client.post('/user/webhook-deliveries/replay', body);
      return [answer.status, answer.body];
    };
    const message = 'Webhook deliveries replayed successfully';
    const since = '2026-01-01 00:00:00';
    expect(await replay(user, { since })).toEqual([200, { message, data: { replayed: 0 } }]);
    expect(await replay(other, { since, status: 'delivered' })).toEqual([
      200,
      { message, data: { replayed: 0 } },
    ]);
    expect(await replay(user, { since: '2999-12-31', status: 'delivered' })).toEqual([
      200,
      { message, data: { replayed: 0 } },
    ]);
    expect(await replay(user, { since, status: 'delivered' })).toEqual([
      200,
      { message, data: { replayed: 1 } },
    ]);
    await receiver.requests(2);
    expect(await replay(user, { since: '2026-02-30' })).toEqual([
      422,
      {
        message: 'The given data was invalid.',
        errors: { since: ['The since field must be a valid date.'] },
      },
    ]);
  });

  it('replays each of more deliveries than fit into one statement, once', async () => {
    const silent = await anAssistant(user, { is_webhook_active: false });
    await database().query(
      `INSERT INTO webhook_deliveries (account_id, event_key, channel, event, webhook_id, assistant_id, url, receiver,
         body, state, due_at, created_at)
       SELECT $1::int, 'bulk:' || $1::int || ':' || n, 'post-call', 'call.completed', 'msg_' || n, $2, $3, 'bulk', '{}', 'dead',
              now(), timestamptz '2026-05-01 10:00:00.123456Z' + n / 700 * interval '1 second'
         FROM generate_series(0, 2000) AS n`,
      [user.id, silent, receiver.url],
    );
    const replay = (since: string) => user.client.post('/user/webhook-deliveries/replay', { since });
    expect((await replay('2026-05-01 10:00:01')).body).toMatchObject({ data: { replayed: 1_301 } });
    expect((await replay('2026-05-01 10:00:00')).body).toMatchObject({ data: { replayed: 700 } });
    expect((await replay('2026-05-01 10:00:00')).body).toMatchObject({ data: { replayed: 0 } });
  });

  it('shows a delivery to its user only', async () => {
    const { id } = await aTestDelivery(user, assistantId);
    const path = `/user/webhook-deliveries/${id}`;
    for (const answer of [await other.client.get(path), await other.client.post(`${path}/replay`)]) {
      expect([answer.status, answer.body]).toEqual([404, { message: 'Webhook delivery not found' }]);
    }
  });
});
