import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { anAccount } from '../factories/account.js';
import { auditLog, type AuditEntry } from '../support/audit.js';
import { runCommand } from '../support/command.js';
import { database, databaseUrl } from '../support/database.js';

const directory = mkdtempSync(join(tmpdir(), 'audit-'));
const name = `audited_${randomBytes(6).toString('hex')}`;
const settings = { DATABASE_URL: '', DATA_DIR: directory };

const run = async (...args: string[]): Promise<string> => {
  const { code, output, problem } = await runCommand(args, settings);
  if (code !== 0) throw new Error(problem);
  return output;
};
const listed = async (): Promise<AuditEntry[]> =>
  JSON.parse(await run('audit', 'list', '--json')) as AuditEntry[];

/** Each command changes what all accounts have, and is an entry of no account. */
describe('the log of the installation has', () => {
  let last = 0;

  beforeAll(async () => {
    await database().query(`CREATE DATABASE ${name}`);
    settings.DATABASE_URL = Object.assign(new URL(databaseUrl()), { pathname: `/${name}` }).href;
    await run('migrate');
  });
  beforeEach(async () => {
    last = (await listed())[0]?.id ?? 0;
  });
  afterAll(async () => {
    await database().query(`DROP DATABASE ${name} WITH (FORCE)`);
    rmSync(directory, { recursive: true });
  });

  /** What has come since the test began, the oldest first. */
  const since = async (): Promise<unknown[]> =>
    (await listed())
      .filter(({ id }) => id > last)
      .reverse()
      .map(({ action, resource, fields, details }) => [action, resource.id, fields, details]);

  it('plans with the limits that were changed, and nothing where none was', async () => {
    const limits = ['--max-tools', '9', '--max-campaigns', '8', '--max-parallel-calls', '7'];
    await run('plans', 'set', 'team', ...limits, '--price-per-minute', '0.03');
    await run('plans', 'set', 'team', '--max-tools', '10', '--price-per-minute', '0.04');
    await run('plans', 'set', 'team', '--max-tools', '10');
    expect(await since()).toEqual([
      ['plan.create', 'team', [], expect.objectContaining({ max_tools: 9, max_parallel_calls: 7 })],
      [
        'plan.update',
        'team',
        ['max_tools', 'price_per_minute_micros'],
        { max_tools: 10, price_per_minute_micros: '40000' },
      ],
    ]);
  });

  it.each([
    ['sms_prices', []],
    ['phone_number_prices', ['--numbers']],
  ])('prices that were changed, of %s', async (list, options) => {
    const file = join(directory, `${list}.csv`);
    writeFileSync(file, 'country,price\nDE,0.0123\n*,0.5\n');
    await run('prices', 'load', file, ...options);
    writeFileSync(file, 'country,price\nDE,0.0125\n*,0.5\n');
    await run('prices', 'load', file, ...options);
    await run('prices', 'load', file, ...options);
    expect(await since()).toEqual([
      ['price.update', null, [], { list, prices: ['* 0.5', 'DE 0.0123'] }],
      ['price.update', null, [], { list, prices: ['DE 0.0125'] }],
    ]);
  });

  it('the catalogue: models, voices and providers that are added, changed and retired', async () => {
    await run('models', 'add', 'ours', '--code', 'gpt-6-luna');
    await run('models', 'set', 'ours', '--takes-temperature', 'false');
    await run('models', 'retire', 'ours', '--on', '2027-01-06');
    await run('voices', 'add', 'Ada', '--provider', 'ElevenLabs', '--provider-voice', '21m00Tcm4TlvDq8ikWAM');
    await run('providers', 'add', 'Local', '--kind', 'transcriber', '--code', 'whisper-large-v3');
    const id = expect.stringMatching(/^1\d{3}$/);
    expect(await since()).toEqual([
      ['model.create', id, [], { name: 'ours' }],
      ['model.update', id, ['takes_temperature'], { name: 'ours' }],
      ['model.update', id, ['retires_on'], { name: 'ours' }],
      ['voice.create', id, [], { name: 'Ada' }],
      ['provider.create', id, [], { name: 'Local' }],
    ]);
  });

  it('the rotation of keys and the decryption of secrets', async () => {
    await run('keys', 'rotate');
    await run('keys', 'decrypt');
    expect(await since()).toEqual([
      ['encryption.rotate', null, [], {}],
      ['encryption.decrypt', null, [], {}],
    ]);
  });

  it('the operator, and hashes that are verified with those of accounts', async () => {
    const entries = await listed();
    expect(new Set(entries.map(({ actor }) => actor.type))).toEqual(new Set(['cli']));
    expect(entries[0]?.actor.name).toEqual(expect.stringMatching(/./));
    const { heads, problems } = JSON.parse(await run('audit', 'verify', '--json')) as {
      heads: object[];
      problems: unknown[];
    };
    expect(problems).toEqual([]);
    expect(heads).toEqual([{ account_id: 0, entries: entries.length, hash: entries[0]?.hash }]);
  });

  it('nothing that an account sees', async () => {
    const user = await anAccount();
    expect(await auditLog(user)).toEqual([]);
    const refused = await user.client.get('/user/audit-log?action=plan.update');
    expect(refused.status).toBe(422);
  });

  /** Whoever owns the database can remove its checks. */
  it.each([0, -2_147_483_648])('nothing before the first entry: %d is found', async (seq) => {
    const email = `ada${seq}@example.com`;
    await run('accounts', 'create', '--name', 'Ada', '--email', email);
    const client = new pg.Client({ connectionString: settings.DATABASE_URL });
    await client.connect();
    await client.query(
      `ALTER TABLE audit_entries DROP CONSTRAINT IF EXISTS audit_entries_seq_check;
       INSERT INTO audit_entries (account_id, seq, created_at, actor_type, action, fields, details, previous_hash, hash)
       SELECT max(account_id), ${seq}, now(), 'cli', 'account.top-up', '{}', '{}', '', '' FROM audit_entries`,
    );
    await client.end();
    const { code, output } = await runCommand(['audit', 'verify', '--json', '--email', email], settings);
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ entry: seq, problem: 'its number is impossible' }),
      ]),
    });
  });
});
