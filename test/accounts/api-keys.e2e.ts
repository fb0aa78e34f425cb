import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '#src/http/scopes.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import type { Client } from '../support/client.js';
import { database } from '../support/database.js';
import { EventStreamClient } from '../support/event-stream.js';
import { until } from '../support/until.js';

interface ApiKey {
  id: number;
  name: string;
  last_used_at: string | null;
  created_at: string;
  expires_at: string | null;
  scopes: string[];
  allowed_addresses: string[];
}

interface Created {
  message: string;
  api_key: ApiKey & { token?: string };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const PATH = '/user/api-keys';
const UNAUTHENTICATED = { message: 'Unauthenticated.' };
const FORBIDDEN = { message: 'This action is unauthorized.' };

const list = async (client: Client) => (await client.get<{ api_keys: ApiKey[] }>(PATH)).body.api_keys;
const create = (client: Client, fields: object, headers: Record<string, string> = {}) =>
  client.post<Created>(PATH, fields, headers);
const remove = (client: Client, id: number) => client.delete(`${PATH}/${id}`);

/** Keys without a token. */
const fill = ({ id }: TestAccount, count: number, revokedAt: 'now()' | 'NULL') =>
  database().query(
    `INSERT INTO access_tokens (account_id, name, token_hash, revoked_at)
     SELECT $1, 'filled', md5(random()::text), ${revokedAt} FROM generate_series(1, $2::int)`,
    [id, count],
  );

let user: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  [user, other] = await Promise.all([anAccount(), anAccount()]);
});

describe('API keys', () => {
  it('are created with a token that is shown once', async () => {
    const answer = await create(user.client, {
      name: 'CRM',
      scopes: ['read', 'calls'],
      expires_at: '2999-01-31 10:30:00+01:00',
    });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        message: 'API key created successfully',
        api_key: {
          id: expect.any(Number),
          name: 'CRM',
          token: expect.stringMatching(/^vac_[0-9a-f]{56}$/),
          created_at: expect.stringMatching(INSTANT),
          expires_at: '2999-01-31T09:30:00.000000Z',
          scopes: ['read', 'calls'],
          allowed_addresses: [],
          spend_limit_per_hour: null,
        },
      },
    ]);
    const { token = '', ...key } = answer.body.api_key;
    const [shown] = await list(user.client);
    const unused = { last_used_at: null, last_used_address: null, unused_since: null };
    expect(shown).toEqual({ ...key, ...unused, spent_this_hour: 0 });
    expect((await user.client.get(PATH)).text).not.toContain(token);

    const client = user.client.withToken(token);
    expect((await client.get('/user/me')).status).toBe(200);
    expect((await client.get(PATH)).body).toEqual(FORBIDDEN);
    expect((await client.post('/user/tools')).body).toEqual(FORBIDDEN);
    const used = await until(async () => (await list(user.client))[0]?.last_used_at ?? null);
    expect(used).toMatch(INSTANT);
    expect(Date.parse(used)).toBeGreaterThanOrEqual(Date.parse(key.created_at));
    expect(Date.parse(used)).toBeLessThanOrEqual(Date.now());
  });

  it('have the scopes of their creator where none are named; earlier keys have all', async () => {
    expect((await list(user.client)).at(-1)?.scopes).toEqual([...SCOPES]);
    const same = await create(user.client, { name: 'as the creator' });
    expect(same.body.api_key).toMatchObject({ scopes: [...SCOPES], expires_at: null });
    const admin = await anApiKey(user, { scopes: ['admin'] });
    const created = await create(admin.client, { name: 'of an admin', expires_at: null });
    expect(created.body.api_key).toMatchObject({ scopes: ['admin'], expires_at: null });
  });

  it('create keys with admin only, so none with more than their own scopes', async () => {
    const scopes = SCOPES.filter((scope) => scope !== 'admin');
    const { client } = await anApiKey(user, { scopes });
    for (const wanted of [['read'], scopes, ['admin'], undefined]) {
      const answer = await create(client, { name: 'more', scopes: wanted });
      expect([answer.status, answer.body]).toEqual([403, FORBIDDEN]);
    }
    expect((await list(user.client)).map(({ name }) => name)).not.toContain('more');
  });

  it.each([
    [{}, 'name', 'The name field is required.'],
    [{ name: ' ' }, 'name', 'The name field is required.'],
    [{ name: 'x'.repeat(256) }, 'name', 'The name field must not be greater than 255 characters.'],
    [{ name: 'x', scopes: 'read' }, 'scopes', 'The scopes field must be an array.'],
    [{ name: 'x', scopes: [] }, 'scopes', 'The scopes field must have at least 1 item.'],
    [{ name: 'x', scopes: ['*'] }, 'scopes', 'The selected scopes is invalid.'],
    [{ name: 'x', scopes: ['read', 'read'] }, 'scopes', 'The scopes field must not have duplicate values.'],
    [{ name: 'x', expires_at: 3600 }, 'expires_at', 'The expires at field must be a valid date.'],
    [{ name: 'x', expires_at: '2999-02-30' }, 'expires_at', 'The expires at field must be a valid date.'],
    [{ name: 'x', expires_at: '2026-01-31' }, 'expires_at', 'The expires at field must be a date after now.'],
  ])('are not created from %j', async (fields, field, text) => {
    const answer = await create(user.client, fields);
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { message: 'The given data was invalid.', errors: { [field]: expect.arrayContaining([text]) } },
    ]);
  });

  it('expire no later than the key that creates them', async () => {
    const ends = '2999-01-31T09:30:00.000000Z';
    const { client } = await anApiKey(user, { expires_at: ends });
    const expiryOf = async (fields: object) =>
      (await create(client, { name: 'of a key that ends', scopes: ['admin'], ...fields })).body.api_key;
    for (const fields of [{}, { expires_at: null }, { expires_at: ends }, { expires_at: '' }])
      expect(await expiryOf(fields)).toMatchObject({ expires_at: ends });
    const earlier = await expiryOf({ expires_at: '2998-01-31' });
    expect(earlier.expires_at).toBe('2998-01-31T00:00:00.000000Z');
    const later = await create(client, { name: 'later', expires_at: '2999-01-31 09:30:01' });
    const problem = 'The expires at field must not be after the end of the key that creates it.';
    expect([later.status, later.body]).toMatchObject([422, { errors: { expires_at: [problem] } }]);
    // Nor do those that these make.
    const grandchild = await create(client.withToken(earlier.token ?? ''), { name: 'of the earlier one' });
    expect(grandchild.body.api_key.expires_at).toBe('2998-01-31T00:00:00.000000Z');
  });

  it('that expired are refused like unknown ones, but listed', async () => {
    const { id, client } = await anApiKey(user, { expires_at: '2999-01-31' });
    await database().query(`UPDATE access_tokens SET expires_at = now() WHERE id = $1`, [id]);
    const answer = await client.get('/user/me');
    expect([answer.status, answer.body]).toEqual([401, UNAUTHENTICATED]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect((await list(user.client)).map((key) => key.id)).toContain(id);
    expect((await remove(user.client, id)).status).toBe(200);
    expect((await list(user.client)).map((key) => key.id)).not.toContain(id);
  });

  it('are deleted once, by their own account only, also by themselves', async () => {
    const { id, client } = await anApiKey(user);
    expect((await remove(other.client, id)).body).toEqual({ message: 'API key not found' });
    const deleted = await remove(client, id);
    expect([deleted.status, deleted.body]).toEqual([200, { message: 'API key deleted successfully' }]);
    expect((await client.get('/user/me')).body).toEqual(UNAUTHENTICATED);
    const again = await remove(user.client, id);
    expect([again.status, again.body]).toEqual([404, { message: 'API key not found' }]);
    expect((await list(other.client)).map((key) => key.name)).toEqual(['test']);
  });

  it('that are deleted while in use get 401 from then on, and their streams end', async () => {
    const { id, token, client } = await anApiKey(user);
    const stream = await EventStreamClient.open(token, '/user/calls/events');
    let isDeleted = false;
    const late: number[] = [];
    const users = Array.from({ length: 8 }, async () => {
      for (;;) {
        const startedAfter = isDeleted;
        const { status } = await client.get('/user/me');
        if (startedAfter) return void late.push(status);
        expect([200, 401]).toContain(status);
      }
    });
    await remove(user.client, id);
    isDeleted = true;
    await Promise.all(users);
    expect(late).toEqual(users.map(() => 401));
    await stream.end();
  });

  it('that are deleted create no key after the deletion is confirmed', async () => {
    const account = await anAccount();
    const leaked = await anApiKey(account);
    // A creation waits for the first of these, which it forgets.
    await fill(account, 101, 'now()');
    const waiting = async (statement: string) => {
      const { rows } = await database().query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`,
        [`${statement}%access_tokens%`],
      );
      return rows.length > 0;
    };
    const db = await database().connect();
    try {
      await db.query('BEGIN');
      await db.query(
        'SELECT 1 FROM access_tokens WHERE account_id = $1 AND revoked_at IS NOT NULL FOR UPDATE',
        [account.id],
      );
      const creation = create(leaked.client, { name: 'of the leaked key' });
      await until(() => waiting('WITH forgotten'));
      let isDeleted = false;
      const deletion = remove(account.client, leaked.id).finally(() => (isDeleted = true));
      await until(async () => isDeleted || waiting('UPDATE'));
      expect(isDeleted).toBe(false);
      await db.query('ROLLBACK');
      expect([(await creation).status, (await deletion).status]).toEqual([201, 200]);
    } finally {
      db.release(true);
    }
    expect((await list(account.client)).map(({ name }) => name)).toEqual(['of the leaked key', 'test']);
    expect((await create(leaked.client, { name: 'too late' })).status).toBe(401);
  });

  it('are at most 100, expired and deleted ones not counted and the newest 100 kept', async () => {
    const account = await anAccount();
    await fill(account, 150, 'now()');
    await fill(account, 97, 'NULL');
    const creations = await Promise.all(
      Array.from({ length: 8 }, (_, n) => create(account.client, { name: `key ${n}` })),
    );
    const refused = creations.filter(({ status }) => status === 422);
    expect(creations.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(refused.map(({ text }) => text)).toEqual(
      refused.map(
        () => '{"message":"You have reached the limit of 100 API keys. Please delete a key to create more."}',
      ),
    );
    expect(await list(account.client)).toHaveLength(100);
    const { rows } = await database().query(
      'SELECT 1 FROM access_tokens WHERE account_id = $1 AND revoked_at IS NOT NULL',
      [account.id],
    );
    expect(rows).toHaveLength(100);
  });

  it('are created once for an Idempotency-Key, whose replay has no token', async () => {
    const headers = { 'Idempotency-Key': 'a-key' };
    const first = await create(user.client, { name: 'once' }, headers);
    const again = await create(user.client, { name: 'once' }, headers);
    const { token = '', ...key } = first.body.api_key;
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([again.status, again.body]).toEqual([201, { message: first.body.message, api_key: key }]);
    expect((await list(user.client)).filter(({ name }) => name === 'once')).toHaveLength(1);
    expect(token).toMatch(/^vac_/);
    const { rows } = await database().query<{ body: string }>(
      'SELECT body FROM idempotency_keys WHERE account_id = $1',
      [user.id],
    );
    expect(rows.map(({ body }) => body.includes(token))).toEqual([false]);
  });
});
