import { Pool } from 'undici';
import { anAccount, type BenchAccount } from '../support/account.js';
import type { BenchDatabase } from '../support/database.js';
import { atMost, type Finding } from '../support/findings.js';
import { inTurns } from '../support/in-turns.js';
import { shoot } from '../support/load.js';
import { positive, SECONDS } from '../support/pace.js';
import { say } from '../support/progress.js';
import { startService } from '../support/service.js';
import { median } from '../support/stats.js';
import { DAYS, fillCalls } from './fill-calls.js';
import { spreadLeads } from './fill-leads.js';

const SMALL = 10_000;
const LARGE = positive('BENCH_CALLS', 1_000_000);
const FACTOR = 3;
const MIN_SAMPLES = 5;

interface Size {
  account: BenchAccount;
  /** A called number. */
  client: string;
}

type Filters = Record<string, (size: Size) => Record<string, string>>;

interface List {
  name: 'calls' | 'leads';
  path: string;
  fill(pool: BenchDatabase['pool'], accounts: readonly number[], count: number): Promise<void>;
  /** By their names in the printed table. */
  filters: Filters;
}

const firstId = ({ account }: Size): string => String(account.id * 10 + 1);

/** Of both lists. */
const FILTERS: Filters = {
  'no filter': () => ({}),
  status: () => ({ status: 'completed' }),
  campaign_id: (size) => ({ campaign_id: firstId(size) }),
  date_from: () => ({ date_from: daysAgo(DAYS / 2) }),
  date_to: () => ({ date_to: daysAgo(DAYS / 2) }),
  'status and days': () => ({ status: 'completed', date_from: daysAgo(60), date_to: daysAgo(30) }),
};

const CALLS: List = {
  name: 'calls',
  path: '/api/user/calls',
  fill: fillCalls,
  filters: {
    ...FILTERS,
    type: () => ({ type: 'inbound' }),
    phone_number: ({ client }) => ({ phone_number: client }),
    assistant_id: (size) => ({ assistant_id: firstId(size) }),
    'status and campaign': (size) => ({ status: 'failed', campaign_id: firstId(size) }),
  },
};

const LEADS: List = {
  name: 'leads',
  path: '/api/user/leads',
  fill: spreadLeads,
  filters: {
    ...FILTERS,
    'a rare status': () => ({ status: 'blacklisted' }),
    'status and campaign': (size) => ({ status: 'blacklisted', campaign_id: firstId(size) }),
  },
};

const firstPage = (): number => 1;

/** Numbers of pages by their name in the printed table. */
const PAGES: Record<string, (last: number) => number> = {
  'page 1': firstPage,
  'page at a quarter': (last) => Math.ceil(last / 4),
  'middle page': (last) => Math.ceil(last / 2),
  'last page': (last) => last,
};

export const callPages = (database: BenchDatabase): Promise<Finding[]> => pagesOf(CALLS, database);
export const leadPages = (database: BenchDatabase): Promise<Finding[]> => pagesOf(LEADS, database);

/** Compares the time of a page with a million rows to the time with ten thousand, and to page 1 with a million. */
async function pagesOf(list: List, { pool, ...database }: BenchDatabase): Promise<Finding[]> {
  const { name, path } = list;
  const small = await aSize(pool, list, SMALL);
  const large = await aSize(pool, list, LARGE);
  const service = await startService({ pool, ...database });
  const http = new Pool(service.url, { connections: 1 });
  const findings: Finding[] = [];
  try {
    for (const [filter, paramsOf] of Object.entries(list.filters)) {
      say(`rest: GET ${name}, ${filter}`);
      const firstOfLarge = await pageTimer(http, path, large.account, paramsOf(large), firstPage);
      for (const [page, numberOf] of Object.entries(PAGES)) {
        const taken = await inTurns({
          small: await pageTimer(http, path, small.account, paramsOf(small), numberOf),
          first: firstOfLarge,
          own: await pageTimer(http, path, large.account, paramsOf(large), numberOf),
        });
        const what = `GET ${name}, ${LARGE.toLocaleString('en-US')} rows, ${filter}, ${page}`;
        findings.push(atMost(what, 'ms', FACTOR, { peer: taken.small, own: taken.own }));
        if (numberOf !== firstPage)
          findings.push(atMost(`${what}, to page 1`, 'ms', FACTOR, { peer: taken.first, own: taken.own }));
      }
    }
    return findings;
  } finally {
    await http.close();
    await service.stop();
  }
}

async function aSize(pool: BenchDatabase['pool'], { name, fill }: List, count: number): Promise<Size> {
  say(`rest: filling in ${count} ${name}`);
  const account = await anAccount(pool, `${name}-${count}`);
  await fill(pool, [account.id], count);
  const { rows } = await pool.query<{ number: string }>(
    'SELECT client_phone_number AS number FROM calls WHERE account_id = $1 ORDER BY id LIMIT 1',
    [account.id],
  );
  return { account, client: rows[0]?.number ?? '' };
}

/** Median time in ms of sequential requests for one page. */
export async function pageTimer(
  http: Pool,
  path: string,
  { headers }: BenchAccount,
  params: Record<string, string>,
  numberOf: (last: number) => number,
): Promise<() => Promise<number>> {
  const ask = (number: number): Promise<string> => {
    const query = new URLSearchParams({ ...params, page: String(number) });
    return shoot(http, { method: 'GET', path: `${path}?${query}`, headers });
  };
  const { last_page: last } = JSON.parse(await ask(1)) as { last_page: number };
  const number = numberOf(last);
  return async () => {
    const times: number[] = [];
    for (const end = performance.now() + (SECONDS * 1000) / 8; ;) {
      const started = performance.now();
      await ask(number);
      times.push(performance.now() - started);
      if (performance.now() > end && times.length >= MIN_SAMPLES) return median(times);
    }
  };
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
