import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { anAccount, type TestAccount } from '../factories/account.js';
import { secretOf } from '../factories/webhook.js';
import { environment, runBuilt } from '../support/command.js';
import { database, databaseUrl } from '../support/database.js';
import { startService, WITHOUT_DOCS, type ServiceProcess } from '../support/service.js';
import { until } from '../support/until.js';

const keyOf = (name: string): string => `${name}:${randomBytes(32).toString('base64')}`;
const HEADERS = [{ name: 'X-Crm-Key', value: 'open sesame of the CRM' }];
const TOOL = {
  name: 'check_order',
  description: 'Looks up an order.',
  endpoint: 'https://example.com/orders',
  method: 'POST',
  headers: HEADERS,
};
interface Tool {
  id: number;
  headers: object[];
}

/** Texts of secrets as they stand in the database. */
const STORED = `
  SELECT headers AS text FROM tools UNION ALL SELECT secret FROM webhook_secrets
  UNION ALL SELECT secret FROM recording_keys`;

describe('an installation with encrypted secrets', () => {
  const older = keyOf('older');
  const newer = keyOf('newer');
  let db: pg.Pool;
  let env: Record<string, string>;
  let service: ServiceProcess | null;

  beforeEach(async () => {
    const name = `encrypted_${randomBytes(6).toString('hex')}`;
    await database().query(`CREATE DATABASE ${name}`);
    const url = Object.assign(new URL(databaseUrl()), { pathname: `/${name}` }).href;
    db = new pg.Pool({ connectionString: url, max: 4, allowExitOnIdle: true });
    db.on('error', () => undefined);
    env = {
      DATABASE_URL: url,
      DATA_DIR: mkdtempSync(join(tmpdir(), 'calls-encrypted-')),
      EMBEDDED_REDIS: 'false',
      ...WITHOUT_DOCS,
    };
    service = null;
  });
  afterEach(async () => {
    await service?.stop();
    await db.end();
    rmSync(env.DATA_DIR ?? '', { recursive: true, force: true });
  });

  const start = async (keys: string): Promise<void> => {
    await service?.stop();
    service = null;
    service = await startService({ ...env, ENCRYPTION_KEYS: keys });
  };
  const cli = (keys: string, ...args: string[]) =>
    runBuilt('main.js', args, { ...env, ENCRYPTION_KEYS: keys });
  const account = (): Promise<TestAccount> => anAccount({ service: { db, root: `${service?.url}/api` } });
  /** Of the same account at the service that runs now. */
  const again = ({ token }: TestAccount, path: string): Promise<Tool[]> =>
    fetch(`${service?.url}/api${path}`, { headers: { Authorization: `Bearer ${token}` } }).then(
      (answer) => answer.json() as Promise<Tool[]>,
    );
  const stored = async (): Promise<string[]> =>
    (await db.query<{ text: string }>(STORED)).rows.map(({ text }) => text);
  const plainOnes = async (): Promise<number> =>
    (await stored()).filter((text) => !text.startsWith('v1.')).length;

  it('has encrypted what an earlier version stored, soon after its start', async () => {
    await start(older);
    const user = await account();
    await user.client.post('/user/tools', TOOL);
    const secret = await secretOf(user);
    await service?.stop();
    service = null;
    await db.query('UPDATE tools SET headers = $1', [JSON.stringify(HEADERS)]);
    await db.query('UPDATE webhook_secrets SET secret = $1', [secret]);
    expect(await plainOnes()).toBe(2);
    await start(older);
    await until(async () => (await plainOnes()) === 0);
    expect((await again(user, '/user/tools'))[0]?.headers).toEqual(HEADERS);
    expect(await again(user, '/user/webhook-secret')).toMatchObject({ data: { secret } });
  });

  it.each([
    ['a new key', `${newer},${older}`, newer],
    ['no new key', older, older],
  ])(
    'rotates its keys while it is used, with %s, also after a rotation that was killed',
    async (_, keys, last) => {
      await start(older);
      const users = await Promise.all(Array.from({ length: 20 }, account));
      for (const user of users) for (let n = 0; n < 5; n++) await user.client.post('/user/tools', TOOL);
      await start(keys);
      const { rows: before } = await db.query<{ id: number }>('SELECT id FROM data_keys');
      let isOver = false;
      const failures: string[] = [];
      const use = async ({ token }: TestAccount): Promise<void> => {
        while (!isOver) {
          const answer = await fetch(`${service?.url}/api/user/tools`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ ...TOOL, name: 'made_meanwhile' }),
          });
          const { data } = (await answer.json()) as { data: Tool };
          await fetch(`${service?.url}/api/user/tools/${data.id}`, {
            method: 'DELETE',
            headers: { Authorization: `Bearer ${token}` },
          });
          for (const tool of await again({ token } as TestAccount, '/user/tools'))
            if (JSON.stringify(tool.headers) !== JSON.stringify(HEADERS)) failures.push(JSON.stringify(tool));
        }
      };
      const load = Promise.all(users.slice(0, 3).map(use));
      const holder = await db.connect();
      await holder.query('BEGIN');
      await holder.query('SELECT FROM data_keys ORDER BY id DESC LIMIT 1 FOR UPDATE');
      const settings = environment({ ...env, ENCRYPTION_KEYS: keys });
      const killed = spawn(process.execPath, ['dist/src/cli/main.js', 'keys', 'rotate'], { env: settings });
      const ended = new Promise((resolve) => killed.once('close', resolve));
      await until(async () => {
        const { rows } = await db.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM data_keys WHERE retired_at IS NOT NULL',
        );
        return (rows[0]?.n ?? 0) > 0;
      });
      killed.kill('SIGKILL');
      await ended;
      await holder.query('ROLLBACK');
      holder.release();
      const rotated = await cli(keys, 'keys', 'rotate', '--json');
      expect([rotated.code, rotated.problem]).toEqual([0, '']);
      isOver = true;
      await load;
      expect(failures).toEqual([]);
      const former = new Set(before.map(({ id }) => String(id)));
      expect((await stored()).filter((text) => former.has(text.split('.')[1] ?? ''))).toEqual([]);
      const [name] = last.split(':');
      expect(await db.query('SELECT FROM data_keys WHERE wrapped_by <> $1', [name])).toMatchObject({
        rowCount: 0,
      });
      await start(last);
      for (const user of users)
        expect((await again(user, '/user/tools')).map(({ headers }) => headers)).toEqual(
          Array.from({ length: 5 }, () => HEADERS),
        );
    },
  );

  it('does not start without the key that it was used with, and says which', async () => {
    await start(older);
    await (await account()).client.post('/user/tools', TOOL);
    await expect(start(newer)).rejects.toThrow(
      /encrypted with the key "older", which ENCRYPTION_KEYS does not have/,
    );
    const [, bytes] = newer.split(':');
    await expect(start(`older:${bytes}`)).rejects.toThrow(/"older" is not the one that encrypted/);
    const { output } = await cli(newer, 'doctor', '--json');
    const { checks } = JSON.parse(output) as { checks: { name: string; state: string }[] };
    expect(checks.find(({ name }) => name === 'encryption')?.state).toBe('fail');
  });

  const lastMigration = async (): Promise<string> => {
    const { rows } = await db.query<{ name: string }>('SELECT name FROM migrations ORDER BY id DESC LIMIT 1');
    return rows[0]?.name ?? '';
  };

  it('goes back to the version before once its secrets are decrypted', async () => {
    await start(older);
    const user = await account();
    await user.client.post('/user/tools', TOOL);
    const secret = await secretOf(user);
    await service?.stop();
    service = null;
    // What followed the encryption.
    while (!(await lastMigration()).startsWith('DataKeys'))
      expect(await cli(older, 'migrate', '--undo')).toMatchObject({ code: 0 });
    const refused = await cli(older, 'migrate', '--undo');
    expect([refused.code, refused.problem]).toEqual([1, expect.stringContaining('keys decrypt')]);
    expect(await cli(older, 'keys', 'decrypt', '--json')).toMatchObject({ code: 0 });
    expect(await cli(older, 'migrate', '--undo')).toMatchObject({ code: 0 });
    const { rows } = await db.query<{ headers: object[]; secret: string; bytes: number }>(
      `SELECT headers, webhook_secrets.secret, octet_length(recording_keys.secret) AS bytes
         FROM tools, webhook_secrets, recording_keys`,
    );
    expect(rows).toEqual([{ headers: HEADERS, secret, bytes: 32 }]);
  });
});
