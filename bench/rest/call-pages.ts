import { Pool } from 'undici';
import { anAccount, type BenchAccount } from '../support/account.js';
import type { BenchDatabase } from '../support/database.js';
import { atMost, noted, type Finding } from '../support/findings.js';
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
  'status and days': () => ({ status: 'completed', date_from: daysAgo(60), date_to: daysAgo(30) }),
};

/** Compares the time of a page with a million calls to that with ten thousand. */
export async function callPages({ pool, ...database }: BenchDatabase): Promise<Finding[]> {
  const small = await aSize(pool, SMALL);
  const large = await aSize(pool, LARGE);
  const service = await startService({ pool, ...database });
  const http = new Pool(service.url, { connections: 1 });
  const findings: Finding[] = [];
  try {
    for (const [filter, paramsOf] of Object.entries(FILTERS)) {
      say(`rest: GET calls, ${filter}`);
      for (const page of ['page 1', 'last page', 'middle page'] as const) {
        const taken = await inTurns({
          peer: await timer(http, small.account, paramsOf(small), page),
          own: await timer(http, large.account, paramsOf(large), page),
        });
        const what = `GET calls, ${LARGE.toLocaleString('en-US')} rows, ${filter}, ${page}`;
        if (page !== 'middle page') findings.push(atMost(what, 'ms', FACTOR, taken));
        else if (filter === 'no filter') findings.push(noted(what, 'ms', taken.own, taken.peer));
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
  page: 'page 1' | 'middle page' | 'last page',
): Promise<() => Promise<number>> {
  const ask = (number: number): Promise<string> => {
    const query = new URLSearchParams({ ...params, page: String(number) });
    return shoot(http, { method: 'GET', path: `/api/user/calls?${query}`, headers });
  };
  const { last_page: last } = JSON.parse(await ask(1)) as { last_page: number };
  const number = { 'page 1': 1, 'middle page': Math.ceil(last / 2), 'last page': last }[page];
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
