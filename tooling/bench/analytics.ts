/**
 * npm run bench -- analytics: the allowed queries over the statistics of `BENCH_LARGE` (10 million) calls of a year: 20
 * assistants, 100 campaigns of a month each, 14 hours a day.
 */
import { Pool } from 'undici';
import { anAccount, type BenchAccount } from './support/account.js';
import { openDatabase, type BenchDatabase } from './support/database.js';
import { below, noted, type Finding } from './support/findings.js';
import { positive } from './support/pace.js';
import { say } from './support/progress.js';
import { startService } from './support/service.js';
import { quantile } from './support/stats.js';

const CALLS = positive('BENCH_LARGE', 10_000_000);
const REQUESTS = 40;
const WARM_UP = 10;
const YEAR = 'from=2025-01-01&to=2025-12-31';
const QUARTER = 'from=2025-07-01&to=2025-09-28';
const ALL =
  'metrics=calls,answered,seconds,cost,average_duration,response_p50,response_p95,success&timezone=America/New_York';
const GROUPS = ['assistant', 'campaign', 'status', 'outcome', 'answered_by', 'type'];

const TARGETS: [path: string, ms: number][] = [
  [`calls?${QUARTER}&interval=day`, 50],
  [`calls?${QUARTER}&interval=day&${ALL}`, 50],
  [`calls?${YEAR}&interval=day&${ALL}`, 300],
  [`calls?${YEAR}&interval=month&${ALL}`, 300],
  ['calls?from=2025-07-01&to=2025-07-31&interval=hour&metrics=calls,response_p95', 300],
  ['calls?from=2025-07-01&to=2025-07-07&interval=hour&group_by=campaign&metrics=calls,response_p95', 300],
  ...GROUPS.map((group): [string, number] => [`calls?${QUARTER}&interval=day&group_by=${group}&${ALL}`, 300]),
  [`calls?${QUARTER}&interval=day&variable=mood&${ALL}`, 300],
  [`calls?${YEAR}&interval=day&campaign_id=50&${ALL}`, 300],
  [`calls?${YEAR}&interval=day&assistant_id=5&${ALL}`, 300],
  [`answer-rate?${YEAR}&timezone=America/New_York`, 300],
  [`answer-rate?${YEAR}&campaign_id=50`, 300],
];

/** Each hour's calls, divided evenly between the keys of a dimension that are active in the hour. */
const FILL = `INSERT INTO call_stats (account_id, dimension, hour, key, n, connected, answered, seconds, cost_micros,
    evaluated, succeeded, responses)
  SELECT $1, dimension, hour, key, n, n * 2 / 3, n / 2, n * 60, n * 50000, n / 2, n / 4, array_fill(n / 12, ARRAY[12])
    FROM (
      SELECT hour, dimension, key, ($2::int / (365 * 14) / count(*) OVER (PARTITION BY hour, dimension))::int AS n
        FROM generate_series(timestamptz '2025-01-01 00:00Z', '2025-12-31 23:00Z', '1 hour') AS hour
        CROSS JOIN (
          SELECT 'all', '' UNION ALL SELECT 'assistant', k::text FROM generate_series(1, 20) k
          UNION ALL SELECT 'campaign', k::text FROM generate_series(1, 100) k
          UNION ALL SELECT 'status', unnest('{completed,busy,no-answer,failed}'::text[])
          UNION ALL SELECT 'outcome', unnest('{goodbye,customer_hangup,voicemail,silence,transferred,none,other}'::text[])
          UNION ALL SELECT 'answered_by', unnest('{human,machine,unknown}'::text[])
          UNION ALL SELECT 'type', unnest('{outbound,inbound}'::text[])
          UNION ALL SELECT 'evaluation:mood', 'mood ' || k FROM generate_series(1, 21) k) AS keys (dimension, key)
       WHERE extract(hour FROM hour AT TIME ZONE 'UTC') BETWEEN 8 AND 21
         AND (dimension <> 'campaign' OR extract(doy FROM hour) BETWEEN key::int * 3.65 - 15 AND key::int * 3.65 + 15)
    ) AS rows ORDER BY hour, dimension, key`;

export async function run(): Promise<Finding[]> {
  const database = await openDatabase();
  try {
    const account = await anAccount(database.pool, 'analytics');
    say(`analytics: the statistics of ${CALLS} calls`);
    const { rowCount } = await database.pool.query(FILL, [account.id, CALLS]);
    await database.pool.query('VACUUM ANALYZE call_stats');
    const rows = noted('rows of the statistics', '', rowCount ?? 0);
    return [rows, ...(await measure(database, account))];
  } finally {
    await database.close();
  }
}

async function measure(database: BenchDatabase, { headers }: BenchAccount): Promise<Finding[]> {
  const service = await startService(database);
  const http = new Pool(service.url, { connections: 1 });
  const findings: Finding[] = [];
  try {
    for (const [path, limit] of TARGETS) {
      // Each connection plans the first executions of a statement.
      for (let request = 0; request < WARM_UP; request++) await requestMs(http, path, headers);
      const times: number[] = [];
      for (let request = 0; request < REQUESTS; request++) times.push(await requestMs(http, path, headers));
      const finding = below(`${path}: p95`, 'ms', limit, quantile(times, 0.95));
      say(`  ${finding.own.toFixed(1)} ms ${path}`);
      findings.push(finding);
    }
    return findings;
  } finally {
    await http.close();
    await service.stop();
  }
}

async function requestMs(http: Pool, path: string, headers: BenchAccount['headers']): Promise<number> {
  const began = performance.now();
  const { statusCode, body } = await http.request({
    method: 'GET',
    path: `/api/user/analytics/${path}`,
    headers,
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text.slice(0, 200)}`);
  return performance.now() - began;
}
