import { describe, expect, it } from '@jest/globals';
import { hashOf, type AuditLink } from '#src/modules/audit/audit-chain.js';
import { LINK_COLUMNS } from '#src/modules/audit/audit-links.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { tamper } from '../support/audit.js';
import { runCommand } from '../support/command.js';
import { database } from '../support/database.js';

const TOOL = { description: 'Looks up.', endpoint: 'https://example.com/orders', method: 'POST' };
const NAMES = ['one', 'two', 'three', 'four', 'five'];

/** With five entries. */
async function anAuditedAccount(): Promise<TestAccount> {
  const account = await anAccount();
  for (const name of NAMES) await account.client.post('/user/tools', { name, ...TOOL });
  return account;
}

interface Verification {
  entries: number;
  heads: { account_id: number; entries: number; hash: string }[];
  problems: { account_id: number | null; entry: number | null; problem: string }[];
}

async function verify(...options: string[]): Promise<Verification & { code: number }> {
  const { output, code, problem } = await runCommand(['audit', 'verify', '--json', ...options]);
  if (!output) throw new Error(problem);
  return { ...(JSON.parse(output) as Verification), code };
}

const setTo = (assignment: string) => (id: number) => [
  `UPDATE audit_entries SET ${assignment} WHERE account_id = ${id} AND seq = 3`,
];
const removing = (condition: string) => (id: number) => [
  `DELETE FROM audit_entries WHERE account_id = ${id} AND ${condition}`,
];
const changedHead = (assignment: string) => (id: number) => [
  `UPDATE audit_heads SET ${assignment} WHERE account_id = ${id}`,
];
const COLUMNS = `created_at, actor_type, actor_id, actor_name, address, request_id, action, resource_id, fields, details,
  previous_hash, hash`;
const copied = (seq: number) => (id: number) => [
  `INSERT INTO audit_entries (account_id, seq, ${COLUMNS})
   SELECT account_id, ${seq}, ${COLUMNS} FROM audit_entries WHERE account_id = ${id} AND seq = 5`,
];

/** Whoever knows how entries are hashed. */
async function readLink(id: number, seq: number): Promise<AuditLink> {
  const { rows } = await database().query<AuditLink>(
    `SELECT ${LINK_COLUMNS} FROM audit_entries WHERE account_id = $1 AND seq = $2`,
    [id, seq],
  );
  return rows[0] as AuditLink;
}

async function rehashed(id: number): Promise<string[]> {
  const changed = { ...(await readLink(id, 3)), action: 'tool.delete' };
  return setTo(`action = 'tool.delete', hash = '${hashOf(changed)}'`)(id);
}

async function appended(id: number): Promise<string[]> {
  const last = await readLink(id, 5);
  const next = { ...last, seq: 6, previousHash: last.hash };
  return [
    ...copied(6)(id),
    `UPDATE audit_entries SET previous_hash = '${last.hash}', hash = '${hashOf(next)}'
      WHERE account_id = ${id} AND seq = 6`,
  ];
}

type Tampering = (id: number, otherId: number) => string[] | Promise<string[]>;

const TAMPERINGS: Record<string, Tampering> = {
  'another time': setTo(`created_at = created_at + interval '1 microsecond'`),
  'another kind of actor': setTo(`actor_type = 'cli'`),
  'another key': setTo('actor_id = actor_id + 1'),
  'another name of the actor': setTo(`actor_name = 'somebody'`),
  'another address': setTo(`address = '203.0.113.7'`),
  'no request': setTo('request_id = NULL'),
  'another action': setTo(`action = 'tool.delete'`),
  'another resource': setTo(`resource_id = '1'`),
  'another field': setTo(`fields = '{headers}'`),
  'other details': setTo(`details = '{"status": "active"}'`),
  'another hash before it': setTo('previous_hash = hash'),
  'another hash': setTo(`hash = repeat('a', 64)`),
  'an entry changed with its hash': rehashed,
  'no first entry': removing('seq = 1'),
  'no entry in the middle': removing('seq = 3'),
  'no last entry': removing('seq = 5'),
  'no entries': removing('true'),
  'two entries swapped': (id) => [
    `UPDATE audit_entries SET seq = 100 WHERE account_id = ${id} AND seq = 2`,
    `UPDATE audit_entries SET seq = 2 WHERE account_id = ${id} AND seq = 3`,
    `UPDATE audit_entries SET seq = 3 WHERE account_id = ${id} AND seq = 100`,
  ],
  'an entry twice': copied(6),
  'an entry added at the end with its hash': appended,
  'another number': (id) => [`UPDATE audit_entries SET seq = 6 WHERE account_id = ${id} AND seq = 5`],
  'an entry moved to another account': (id, otherId) => [
    `UPDATE audit_entries SET account_id = ${otherId}, seq = 1 WHERE account_id = ${id} AND seq = 5`,
  ],
  'all entries moved to another account': (id, otherId) => [
    `UPDATE audit_entries SET account_id = ${otherId} WHERE account_id = ${id}`,
    `UPDATE audit_heads SET account_id = ${otherId} WHERE account_id = ${id}`,
  ],
  'an end further on': changedHead('seq = 6'),
  'an end further back': changedHead('seq = 4'),
  'another hash at the end': changedHead(`hash = repeat('b', 64)`),
  'no end': (id) => [`DELETE FROM audit_heads WHERE account_id = ${id}`],
};

describe('npm run cli -- audit verify', () => {
  it(`finds each of ${Object.keys(TAMPERINGS).length} kinds of tampering, and nothing else`, async () => {
    const [untouched, ...tampered] = await Promise.all(
      [null, ...Object.keys(TAMPERINGS)].map(() => anAuditedAccount()),
    );
    const others = await Promise.all(tampered.map(() => anAccount()));
    const statements = await Promise.all(
      Object.values(TAMPERINGS).map((kind, n) => kind(tampered[n]?.id ?? 0, others[n]?.id ?? 0)),
    );
    for (const batch of statements) await tamper(...batch);
    const { code, problems } = await verify();
    expect(code).toBe(1);
    const found = new Set(problems.map(({ account_id }) => account_id));
    const isFound = (n: number) => found.has(tampered[n]?.id ?? 0) || found.has(others[n]?.id ?? 0);
    expect(Object.keys(TAMPERINGS).filter((_, n) => !isFound(n))).toEqual([]);
    expect([...found].filter((id) => id === untouched?.id)).toEqual([]);
  });

  it('names the end of a log, by which a later check finds that it was cut or written anew', async () => {
    const account = await anAuditedAccount();
    const whole = await verify('--email', account.email);
    expect(whole).toMatchObject({ code: 0, entries: 5, problems: [] });
    const [{ hash = '' } = {}] = whole.heads;
    expect(whole.heads).toEqual([
      { account_id: account.id, entries: 5, hash: (await readLink(account.id, 5)).hash },
    ]);
    await account.client.post('/user/tools', { name: 'six', ...TOOL });
    expect(await verify('--email', account.email, '--since', hash)).toMatchObject({ code: 0, entries: 6 });
    const { hash: former } = await readLink(account.id, 4);
    await tamper(
      ...removing('seq > 4')(account.id),
      ...changedHead(`seq = 4, hash = '${former}'`)(account.id),
    );
    expect(await verify('--email', account.email)).toMatchObject({ code: 0, entries: 4 });
    expect(await verify('--email', account.email, '--since', hash)).toMatchObject({
      code: 1,
      problems: [{ account_id: null, entry: null, problem: `no entry has the hash ${hash}` }],
    });
  });

  it.each([
    [
      `INSERT INTO audit_entries (account_id, seq, created_at, actor_type, action, fields, details, previous_hash, hash)
       VALUES (1, 0, now(), 'system', 'tool.create', '{}', '{}', '', '')`,
      'audit_entries_seq_check',
    ],
    ['UPDATE audit_entries SET address = NULL', 'neither changed nor deleted'],
    ['DELETE FROM audit_entries', 'neither changed nor deleted'],
    ['TRUNCATE audit_entries', 'neither changed nor deleted'],
    ['UPDATE audit_heads SET seq = seq - 1', 'only moves on'],
    ['DELETE FROM audit_heads', 'only moves on'],
    ['TRUNCATE audit_heads', 'only moves on'],
  ])('is seldom needed: the database refuses %s', async (statement, message) => {
    await expect(database().query(statement)).rejects.toThrow(message);
  });
});
