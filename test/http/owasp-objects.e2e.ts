import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccountWithResources } from '../factories/account-resources.js';
import type { Answer } from '../support/client.js';
import { database } from '../support/database.js';
import {
  idOf,
  idsOf,
  inParallel,
  matrixEntries,
  pathWith,
  send,
  titled,
  type Entry,
} from '../support/matrix.js';
import type { AccountResources, Resource } from '../support/route.types.js';

/**
 * OWASP API Security Top 10 (2023), 1 and 3, over the operations of the document: what an id in a query and fields that
 * no route takes do. Ids in paths and bodies: matrix-ids.e2e.ts. See docs/run/security.md.
 */
const ENTRIES = await matrixEntries();
const MISSING = 2_147_483_000;

let own: AccountResources;
let other: AccountResources;

beforeAll(async () => {
  [own, other] = await Promise.all([anAccountWithResources(), anAccountWithResources()]);
});

/** What a filter's id names, by its name; a new filter has to be added here. Null: nothing that an account has alone. */
const OF_FILTER: Record<string, Resource | null> = {
  assistant_id: 'assistant',
  call_id: 'call',
  campaign_id: 'campaign',
  folder_id: 'folder',
  key_id: 'apiKey',
  label_id: 'label',
  language_id: null,
  lead_id: 'lead',
  phone_number_id: 'phone number',
  // Of any type: an own resource of another type may have the same id.
  resource_id: null,
  sender_id: null,
};

describe('1, object level: a filter by a foreign id', () => {
  const FILTERED = ENTRIES.filter(
    ({ method, operation }) =>
      method === 'GET' && operation.responses['200']?.content?.['text/event-stream'] === undefined,
  ).flatMap((entry) =>
    (entry.operation.parameters ?? [])
      .filter(({ name, in: place }) => place === 'query' && name.endsWith('_id'))
      .map(({ name }): [string, Entry, string] => [`GET ${entry.path} ${name}`, entry, name]),
  );

  it('is one of a resource that the test knows', () => {
    expect(FILTERED.map(([, , name]) => name).filter((name) => OF_FILTER[name] === undefined)).toEqual([]);
    expect(FILTERED.length).toBeGreaterThan(10);
  });

  const OWNED = FILTERED.filter(([, , name]) => OF_FILTER[name] !== null);

  it.each(OWNED)('%s: returns what a missing id does', async (_, entry, name) => {
    const resource = OF_FILTER[name] ?? '';
    const ask = async (id: number): Promise<unknown[]> => {
      const path = pathWith(entry, idsOf(own, entry));
      const { status, text } = await own.account.client.get(`${path}?${name}=${id}`);
      return [status, text.replaceAll(`${name}=${id}`, `${name}=X`)];
    };
    expect(await ask(idOf(other, resource))).toEqual(await ask(MISSING));
  });
});

/** Fields that responses and tables have and no request may set. */
const ID = 1_999_999_999;
const LONG_AGO = '2001-01-01 00:00:00';
const privileges = (): Record<string, unknown> => ({
  id: ID,
  uuid: '00000000-0000-4000-8000-000000000000',
  account_id: other.account.id,
  accountId: other.account.id,
  user_id: other.account.id,
  userId: other.account.id,
  user: { id: other.account.id },
  created_at: LONG_AGO,
  createdAt: LONG_AGO,
  updated_at: LONG_AGO,
  deleted_at: LONG_AGO,
  balance: 1_000_000,
  total_balance: 1_000_000,
  balanceMicros: 1_000_000_000_000,
  balance_micros: 1_000_000_000_000,
  held_micros: -1_000_000_000_000,
  plan: 'unlimited',
  plan_id: 1,
  planId: 1,
  role: 'admin',
  is_admin: true,
  total_cost: 0,
  total_cost_micros: 0,
  price_per_minute: 0,
  pricePerMinuteMicros: 0,
  segment_price_micros: 0,
  token: 'vac_chosen',
  token_hash: '0'.repeat(64),
  hash: '0'.repeat(64),
  constructor: { name: 'Account' },
});

describe('3, property level: fields that a route does not take', () => {
  const WITH_BODY = titled(ENTRIES.filter(({ route }) => route.body));
  const taken = ({ operation }: Entry): string[] => {
    const schema = operation.requestBody?.content['application/json']?.schema ?? {};
    return Object.keys((schema.properties as object | undefined) ?? {});
  };

  it.each(WITH_BODY)('%s: leave ids, owners, times, balances and other accounts alone', async (_, entry) => {
    const before = await rowsOf(other.account.id);
    const account = await accountOf(own.account.id);
    const extra = Object.entries(privileges()).filter(([name]) => !taken(entry).includes(name));
    const body = { ...Object.fromEntries(extra), ...entry.route.body?.(own) };
    const answer = await send(own.account.client, entry, idsOf(own, entry), body);
    expect(isServed(answer)).toBe(true);
    expect(await rowsOf(other.account.id)).toEqual(before);
    expect(await chosenRowsOf(own.account.id)).toEqual([]);
    const { balance, ...rest } = await accountOf(own.account.id);
    const { balance: former, ...stored } = account;
    expect(rest).toEqual(stored);
    expect(BigInt(balance)).toBeLessThanOrEqual(BigInt(former));
  });
});

/** Whether the route is reached: what it then finds wrong is another test's. */
const isServed = ({ status }: Answer<unknown>): boolean => status < 500 && status !== 401 && status !== 403;

interface StoredAccount {
  balance: string;
  email: string;
  plan_id: number;
  created_at: Date;
}

async function accountOf(id: number): Promise<StoredAccount> {
  const sql =
    'SELECT balance_micros::text AS balance, email, plan_id, created_at FROM accounts WHERE id = $1';
  const { rows } = await database().query<StoredAccount>(sql, [id]);
  return rows[0] as StoredAccount;
}

/** Tables with a column, of those that say whose a row is. */
async function tablesWith(column: string): Promise<string[]> {
  const { rows } = await database().query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'account_id'
        AND EXISTS (SELECT 1 FROM information_schema.columns other
                     WHERE other.table_schema = 'public' AND other.table_name = tables.table_name
                       AND other.column_name = $1)
      ORDER BY 1`,
    [column],
  );
  return rows.map(({ name }) => name);
}

/** The number of rows by table. */
async function rowsOf(accountId: number): Promise<Record<string, number>> {
  const counts = await inParallel(await tablesWith('account_id'), async (table) => {
    const { rows } = await database().query<{ n: number }>(
      `SELECT count(*)::int AS n FROM "${table}" WHERE account_id = $1`,
      [accountId],
    );
    return [table, rows[0]?.n ?? 0] as const;
  });
  return Object.fromEntries(counts);
}

/** Tables with a row whose id or time was chosen by the request. */
async function chosenRowsOf(accountId: number): Promise<string[]> {
  const [withId, withTime] = await Promise.all([tablesWith('id'), tablesWith('created_at')]);
  const conditions = [
    ...withId.map((table) => [table, `id::text = '${ID}'`] as const),
    ...withTime.map((table) => [table, `created_at < '2002-01-01'`] as const),
  ];
  const found = await inParallel(conditions, async ([table, condition]) => {
    const { rowCount } = await database().query(
      `SELECT 1 FROM "${table}" WHERE account_id = $1 AND ${condition} LIMIT 1`,
      [accountId],
    );
    return rowCount === 0 ? [] : [`${table}: ${condition}`];
  });
  return found.flat();
}
