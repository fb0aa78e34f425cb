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

const SMALL = 10_000;
const LARGE = positive('BENCH_CALLS', 1_000_000);
const FACTOR = 3;
const MIN_SAMPLES = 5;

interface Size {
  account: BenchAccount;
  /** A number that was called. */
  client: string;
}

/** Filters by their name in the printed table. */
const FILTERS: Record<string, (size: Size) => Record<string, string>> = {
  'no filter': () => ({}),
  status: () => ({ status: 'completed' }),
  type: () => ({ type: 'inbound' }),
  phone_number: ({ client }) => ({ phone_number: client }),
  assistant_id: ({ account }) => ({ assistant_id: String(account.id * 10 + 1) }),
  campaign_id: ({ account }) => ({ campaign_id: String(account.id * 10 + 1) }),
  date_from: () => ({ date_from: daysAgo(DAYS / 2) }),
  date_to: () => ({ date_to: daysAgo(DAYS / 2) }),
  'status and campaign': ({ account }) => ({ status: 'failed', campaign_id: String(account.id * 10 + 1) }),
  'status and days': () => ({ status: 'completed', date_from: daysAgo(60), date_to: daysAgo(30) }),
};

const firstPage = (): number => 1;

/** Numbers of pages by their name in the printed table. */
const PAGES: Record<string, (last: number) => number> = {
  'page 1': firstPage,
  'page at a quarter': (last) => Math.ceil(last / 4),
  'middle page': (last) => Math.ceil(last / 2),
  'last page': (last) => last,
};

/** Compares the time of a page with a million calls to that with ten thousand, and to page 1 with a million. */
export async function callPages({ pool, ...database }: BenchDatabase): Promise<Finding[]> {
  const small = await aSize(pool, SMALL);
  const large = await aSize(pool, LARGE);
  const service = await startService({ pool, ...database });
  const http = new Pool(service.url, { connections: 1 });
  const findings: Finding[] = [];
  try {
    for (const [filter, paramsOf] of Object.entries(FILTERS)) {
      say(`rest: GET calls, ${filter}`);
      const firstOfLarge = await timer(http, large.account, paramsOf(large), firstPage);
      for (const [page, numberOf] of Object.entries(PAGES)) {
        const taken = await inTurns({
          small: await timer(http, small.account, paramsOf(small), numberOf),
          first: firstOfLarge,
          own: await timer(http, large.account, paramsOf(large), numberOf),
        });
        const what = `GET calls, ${LARGE.toLocaleString('en-US')} rows, ${filter}, ${page}`;
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

async function aSize(pool: BenchDatabase['pool'], calls: number): Promise<Size> {
  say(`rest: filling in ${calls} calls`);
  const account = await anAccount(pool, `calls-${calls}`);
  await fillCalls(pool, account.id, calls);
  const { rows } = await pool.query<{ number: string }>(
    'SELECT client_phone_number AS number FROM calls WHERE account_id = $1 ORDER BY id LIMIT 1',
    [account.id],
  );
  return { account, client: rows[0]?.number ?? '' };
}

/** Median time in ms of sequential requests for one page. */
async function timer(
  http: Pool,
  { headers }: BenchAccount,
  params: Record<string, string>,
  numberOf: (last: number) => number,
): Promise<() => Promise<number>> {
  const ask = (number: number): Promise<string> => {
    const query = new URLSearchParams({ ...params, page: String(number) });
    return shoot(http, { method: 'GET', path: `/api/user/calls?${query}`, headers });
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
