import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { baseUrl, type Answer } from '../support/client.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

const RECIPIENT = '+15005550006';
const NO_MOBILE = '+15005550009';
const aTool = { name: 'kept', description: 'x', endpoint: 'https://example.com/x', method: 'GET' };

const campaignOf = async (account: TestAccount): Promise<Record<string, unknown>> => ({
  name: 'Kept',
  assistant_id: await anAssistant(account),
});

/** Sends a POST and closes the connection, without waiting for the answer, as soon as it `isWorkedOn`. */
async function leaveDuring(
  path: string,
  body: unknown,
  headers: Record<string, string>,
  isWorkedOn: () => Promise<boolean>,
): Promise<void> {
  const { hostname, port } = new URL(baseUrl());
  const text = JSON.stringify(body);
  const lines = Object.entries({
    Host: hostname,
    'Content-Type': 'application/json',
    'Content-Length': String(text.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.write(`POST /api${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
  while (!(await isWorkedOn()));
  socket.destroy();
}

describe('Idempotency-Key', () => {
  let user: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount(), anAccount()]);
  });

  const post = (path: string, body: unknown, key: string, { client } = user) =>
    client.post<{ message: string; data: { id: number } }>(path, body, { 'Idempotency-Key': key });
  const sms = (to = RECIPIENT, { phoneNumber } = user) => ({ from: phoneNumber.id, to, body: 'once' });
  const sentBy = async ({ client }: TestAccount) =>
    (await client.get<{ total: number }>('/user/sms')).body.total;
  const replayed = ({ headers }: Answer<unknown>) => headers.get('idempotent-replayed');

  it('returns the stored response to a repeated request', async () => {
    const before = await sentBy(user);
    const first = await post('/user/sms', sms(), 'order-1');
    const second = await post('/user/sms', sms(), 'order-1');
    expect([first.status, replayed(first)]).toEqual([200, null]);
    expect([second.status, replayed(second)]).toEqual([200, 'true']);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await sentBy(user)).toBe(before + 1);
  });

  it('executes 200 parallel requests once', async () => {
    const before = await sentBy(user);
    const asked = Array.from({ length: 200 }, () => post('/user/sms', sms(), 'parallel'));
    const answers = await Promise.all(asked);
    const done = answers.filter(({ status }) => status === 200);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(done.length + waiting.length).toBe(200);
    expect(done.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    for (const { headers, text } of waiting) {
      expect([headers.get('retry-after'), text]).toEqual([
        '1',
        '{"message":"A request with this Idempotency-Key is still in progress."}',
      ]);
    }
    const later = await Promise.all(Array.from({ length: 20 }, () => post('/user/sms', sms(), 'parallel')));
    expect(new Set([...done, ...later].map(({ text }) => text)).size).toBe(1);
    expect(await sentBy(user)).toBe(before + 1);
  });

  it.each([
    ['a message that was sent', 'sent', 10, 200],
    ['a message that was refused', 'too-low', 0, 400],
  ])('is checked before the rules of the request: %s', async (_, key, balance, status) => {
    const sender = await anAccount({ balance });
    const first = await post('/user/sms', sms(RECIPIENT, sender), key, sender);
    expect([first.status, replayed(first)]).toEqual([status, null]);
    await database().query('UPDATE phone_numbers SET sms_capable = false WHERE account_id = $1', [sender.id]);
    const second = await post('/user/sms', sms(RECIPIENT, sender), key, sender);
    expect([second.status, replayed(second), second.text]).toEqual([status, 'true', first.text]);
    const fresh = await post('/user/sms', sms(RECIPIENT, sender), `${key}-fresh`, sender);
    expect(fresh.text).toBe('{"message":"Phone number is not SMS-capable"}');
  });

  it('executes 50 parallel requests once where the handler ignores the key', async () => {
    const tool = { name: 'at_once', description: 'x', endpoint: 'https://example.com/x', method: 'GET' };
    const asked = Array.from({ length: 50 }, () => post('/user/tools', tool, 'tool-at-once', other));
    const answers = await Promise.all(asked);
    const done = answers.filter(({ status }) => status === 201);
    expect(done.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(50 - done.length);
    expect((await other.client.get<unknown[]>('/user/tools')).body).toHaveLength(1);
  });

  it('applies to every POST that creates something', async () => {
    const tool = { name: 'once', description: 'once', endpoint: 'https://example.com/once', method: 'GET' };
    const first = await post('/user/tools', tool, 'tool');
    const second = await post('/user/tools', tool, 'tool');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.data.id).toBe(first.body.data.id);
    expect((await user.client.get<unknown[]>('/user/tools')).body).toHaveLength(1);
  });

  it('repeats and stores no secret that is shown once', async () => {
    const rotate = () => post('/user/webhook-secret/rotate', {}, 'rotation');
    const [first, second] = [await rotate(), await rotate()];
    const { secret, ...rest } = first.body.data as { id: number; secret?: string };
    expect(secret).toMatch(/^whsec_/);
    expect([second.status, replayed(second), second.body]).toEqual([
      200,
      'true',
      { ...first.body, data: rest },
    ]);
    const { rows } = await database().query<{ body: string }>(
      `SELECT body FROM idempotency_keys WHERE account_id = $1 AND key = 'rotation'`,
      [user.id],
    );
    expect(rows[0]?.body).toBe(second.text);
  });

  it('stores no hash that is found by trying requests, and knows those of earlier versions', async () => {
    const first = await post('/user/sms', sms(), 'hashed');
    const text = JSON.stringify(['POST', '/api/user/sms', sms()]);
    const plain = createHash('sha256').update(text).digest('base64url');
    const row = `account_id = ${user.id} AND key = 'hashed'`;
    const { rows } = await database().query<{ hash: string }>(
      `SELECT request_hash AS hash FROM idempotency_keys WHERE ${row}`,
    );
    expect(rows[0]?.hash).not.toBe(plain);
    await database().query(`UPDATE idempotency_keys SET request_hash = $1 WHERE ${row}`, [plain]);
    const second = await post('/user/sms', sms(), 'hashed');
    expect([second.status, replayed(second), second.text]).toEqual([200, 'true', first.text]);
    expect((await post('/user/sms', { ...sms(), body: 'twice' }, 'hashed')).status).toBe(422);
  });

  it('also repeats an error response', async () => {
    const first = await post('/user/sms', { ...sms(), body: '' }, 'refused');
    const second = await post('/user/sms', { ...sms(), body: '' }, 'refused');
    expect([first.status, second.status, replayed(second)]).toEqual([422, 422, 'true']);
    expect(second.text).toBe(first.text);
  });

  it('refuses a key that was used for another request', async () => {
    await post('/user/sms', sms(), 'mine');
    for (const answer of [
      await post('/user/sms', { ...sms(), body: 'twice' }, 'mine'),
      await post('/user/tools', sms(), 'mine'),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        422,
        { message: 'This Idempotency-Key was used with another request.' },
      ]);
    }
  });

  it.each<[string, () => unknown]>([
    ['/user/sms', () => sms()],
    ['/user/tools', () => ({ ...aTool, name: 'gone' })],
  ])('stores the response of a request whose client disconnects: %s', async (path, body) => {
    const key = `gone-${path}`;
    const sent = body();
    const isThere = async (condition: string): Promise<boolean> => {
      const { rowCount } = await database().query(
        `SELECT FROM idempotency_keys WHERE account_id = $1 AND key = $2 AND ${condition}`,
        [user.id, key],
      );
      return rowCount === 1;
    };
    const headers = { Authorization: `Bearer ${user.token}`, 'Idempotency-Key': key };
    await leaveDuring(path, sent, headers, () => isThere('true'));
    await until(() => isThere('status_code IS NOT NULL'));
    const again = await post(path, sent, key);
    expect([again.status < 300, replayed(again)]).toEqual([true, 'true']);
  });

  it('releases the key after a failure', async () => {
    const first = await post('/user/sms', sms(NO_MOBILE), 'failing');
    const second = await post('/user/sms', sms(NO_MOBILE), 'failing');
    expect([first.status, second.status, replayed(second)]).toEqual([500, 500, null]);
    const { body } = await user.client.get<{ total: number }>('/user/sms?status=failed');
    expect(body.total).toBe(2);
  });

  it('belongs to the user', async () => {
    const mine = await post('/user/sms', sms(), 'shared');
    const theirs = await post('/user/sms', sms(RECIPIENT, other), 'shared', other);
    expect(replayed(theirs)).toBeNull();
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
  });

  it('continues for a process that has ended, without sending twice', async () => {
    const before = await sentBy(user);
    const first = await post('/user/sms', sms(), 'crash');
    await until(async () => {
      const { body } = await user.client.get<{ data: { status: string } }>(`/user/sms/${first.body.data.id}`);
      return body.data.status === 'delivered' ? true : null;
    });
    const row = `WHERE account_id = ${user.id} AND key = 'crash'`;
    await database().query(`UPDATE idempotency_keys SET status_code = NULL, body = NULL ${row}`);
    expect((await post('/user/sms', sms(), 'crash')).status).toBe(409);
    await database().query(`UPDATE idempotency_keys SET locked_until = now() - interval '1 second' ${row}`);
    const second = await post('/user/sms', sms(), 'crash');
    expect([second.status, replayed(second)]).toEqual([200, null]);
    expect(second.body.data.id).toBe(first.body.data.id);
    expect(await sentBy(user)).toBe(before + 1);
  });

  it.each<[string, string, () => Promise<Record<string, unknown>> | Record<string, unknown>, string]>([
    ['tool', '/user/tools', () => aTool, '/user/tools'],
    ['assistant', '/user/assistant', () => assistantBody(), '/user/assistants/get'],
    ['campaign', '/user/campaigns', () => campaignOf(user), '/user/campaigns'],
  ])(
    'continues for a process that ends after creating the requested resource: %s',
    async (what, path, body, list) => {
      const key = `died-${what}`;
      const sent = await body();
      const first = await post(path, sent, key);
      expect(first.status).toBe(201);
      await database().query(
        `UPDATE idempotency_keys SET status_code = NULL, body = NULL, locked_until = now() - interval '1 second'
        WHERE account_id = $1 AND key = $2`,
        [user.id, key],
      );
      const before = (await user.client.get(list)).text;
      const second = await post(path, sent, key);
      expect([second.status, replayed(second)]).toEqual([201, null]);
      expect(second.text).toBe(first.text);
      expect((await user.client.get(list)).text).toBe(before);
    },
  );

  it('expires after a day', async () => {
    const first = await post('/user/sms', sms(), 'old');
    await database().query(
      `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE account_id = ${user.id} AND key = 'old'`,
    );
    const second = await post('/user/sms', { ...sms(), body: 'another' }, 'old');
    expect([second.status, replayed(second)]).toEqual([200, null]);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it.each([['a b'], ['x'.repeat(256)], ['é']])('refuses a malformed key (%#)', async (key) => {
    const answer = await post('/user/sms', sms(), key);
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: 'The Idempotency-Key header must have 1 to 255 visible characters.' },
    ]);
  });

  it('is ignored on other methods and on unknown paths', async () => {
    expect(await post('/user/nothing', {}, 'a b')).toMatchObject({ status: 404 });
    const headers = { 'Idempotency-Key': 'reading' };
    expect((await user.client.get('/user/me', headers)).status).toBe(200);
    expect((await user.client.put('/user/tools/2147483647', {}, headers)).status).toBe(404);
  });
});
