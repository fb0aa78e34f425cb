/**
 * npm run bench -- retention: passes over `BENCH_CALLS` (1 million) calls of a year, evenly distributed. The first pass
 * removes what is older than 300 days, then `BENCH_DAYS` (30) days go by: each has new calls, and rules that are shorter
 * by a day, which is what a day makes of the same rule. One assistant has a shorter rule. Beside it another account
 * without a rule sends `BENCH_RATE` (20) requests per second.
 */
import { randomInt } from 'node:crypto';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#src/database/data-source-options.js';
import { findStatisticsDifferences } from '#src/modules/calls/analytics/statistics-check.js';
import { SERVICE, startServer } from '../harness/server-process.js';
import { fillYear, YEAR_DAYS } from './retention/calls-of-year.js';
import { Neighbour } from './retention/neighbour.js';
import { someParties } from './retention/parties.js';
import { Passes } from './retention/passes.js';
import { findingsOf } from './retention/pass-findings.js';
import { Simulation } from './retention/simulation.js';
import { compareSizes, TABLES, tableSizes } from './retention/sizes.js';
import { openDatabase, type BenchDatabase } from './support/database.js';
import { below, type Finding } from './support/findings.js';
import { positive } from './support/pace.js';
import { say } from './support/progress.js';

const CALLS = positive('BENCH_CALLS', 1_000_000);
const DAYS = positive('BENCH_DAYS', 30);
const RATE = positive('BENCH_RATE', 20);
const OTHER_CALLS = 10_000;
const FIRST_RULE_DAYS = 300;
/** At the end, below the 31 days that numbers of outbound calls are kept. */
const LAST_NARROW_DAYS = 25;
const WARM_UP_SECONDS = 15;
/** Before the first pass, and before that of each day. */
const QUIET_SECONDS = { first: 20, day: 2 };

export async function run(): Promise<Finding[]> {
  if (DAYS > FIRST_RULE_DAYS - LAST_NARROW_DAYS)
    throw new Error(`BENCH_DAYS is at most ${FIRST_RULE_DAYS - LAST_NARROW_DAYS}`);
  const database = await openDatabase();
  try {
    say(`retention: ${CALLS} calls of a year`);
    const parties = await someParties(database, OTHER_CALLS);
    await fillYear(database.pool, parties.customer, TABLES, CALLS);
    return await measure(database, parties);
  } finally {
    await database.close();
  }
}

type Parties = Awaited<ReturnType<typeof someParties>>;

async function measure(database: BenchDatabase, parties: Parties): Promise<Finding[]> {
  const { url, dataDir, pool } = database;
  const service = await startServer(
    ['--import', new URL('./retention/pass-on-request.js', import.meta.url).href, SERVICE],
    {
      env: {
        DATABASE_URL: url,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        DRAIN_SECONDS: '0',
        // The rules of the account alone remove deliveries.
        WEBHOOK_RETENTION_DAYS: '3650',
      },
      echo: true,
    },
  );
  const passes = await Passes.open(database, service);
  const neighbour = new Neighbour(service.url, parties.other, RATE);
  const days = new Simulation(database, service.url, parties, passes, neighbour);
  try {
    await days.warmUp(WARM_UP_SECONDS);
    const filled = await tableSizes(pool);
    await liveThrough(days);
    await neighbour.stop();
    const sizes = compareSizes(filled, await tableSizes(pool), DAYS);
    return [...findingsOf(days, neighbour), await recount(url), ...sizes];
  } finally {
    await neighbour.stop().catch(() => undefined);
    await passes.close();
    await service.stop();
  }
}

async function liveThrough(days: Simulation): Promise<void> {
  const perDay = Math.round(CALLS / YEAR_DAYS);
  const checkedDays = [randomInt(1, DAYS + 1), DAYS];
  say(`retention: passes, those of days ${checkedDays.join(' and ')} and the first are recounted`);
  await days.quiet(QUIET_SECONDS.first);
  await days.pass(FIRST_RULE_DAYS, DAYS + LAST_NARROW_DAYS, true);
  for (let day = 1; day <= DAYS; day++) {
    await days.addDay(CALLS + 1 + (day - 1) * perDay, perDay);
    await days.quiet(QUIET_SECONDS.day);
    await days.pass(FIRST_RULE_DAYS - day, DAYS + LAST_NARROW_DAYS - day, checkedDays.includes(day));
  }
}

/** As `accounts verify` counts. */
async function recount(url: string): Promise<Finding> {
  const db = await new DataSource({
    ...dataSourceOptions(url, 'bench'),
    extra: { statement_timeout: 0 },
  }).initialize();
  try {
    const differences = await findStatisticsDifferences(db.manager);
    for (const { problem } of differences.slice(0, 3)) say(`  ${problem}`);
    return below('rows of statistics that differ from a recount of all calls', '', 0, differences.length);
  } finally {
    await db.destroy();
  }
}
