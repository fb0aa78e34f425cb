import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchDatabase } from '../support/database.js';
import { above, below, noted, type Finding } from '../support/findings.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';
import { quantile } from '../support/stats.js';
import { bareDialler } from '../peer/dialer.js';
import { addLeads, busy, dialCustomers, startCampaigns, type DialCustomer } from './dial-customers.js';
import { until, withDialRig, type DialRig } from './dial-rig.js';
import { byPhase, countOf, printTexts, since } from './statement-counts.js';

const DIALS = positive('BENCH_DIALS', 500);
const CAMPAIGNS = positive('BENCH_CAMPAIGNS', 20);
const TARGET_PER_SECOND = 200;
/** Callees have short waits, so that calls end while others are placed. */
const SPEED = 20;
const CLOCK_TICK_MS = 10;
const ENDED = `SELECT count(*)::int AS n FROM calls WHERE account_id = ANY($1) AND ended_at IS NOT NULL`;

interface Dial {
  kind: string;
  at: string;
  from: string;
  to: string;
}

/** Calls per second placed by one worker, and the bare statements in the same run. */
export async function placed(database: BenchDatabase): Promise<Finding[]> {
  return withDialRig(database, SPEED, async (rig) => {
    const { pool } = database;
    const numbers = Array.from({ length: DIALS }, (_, index) => busy(index));
    const findings: Finding[] = [];
    // The first calls of a process take twice the CPU time: its code is not compiled yet.
    for (const moment of ['cold', 'warm'] as const) {
      const [one] = await dialCustomers(pool, rig.service.url, `one-${moment}`, 1, { campaigns: CAMPAIGNS });
      const many = await dialCustomers(pool, rig.service.url, `many-${moment}`, DIALS, { campaigns: 1 });
      if (!one) throw new Error('no account');
      await addLeads(pool, one, numbers);
      for (const customer of many) await addLeads(pool, customer, [busy(0)]);
      findings.push(
        ...(await placedBy(rig, `one account, ${CAMPAIGNS} campaigns, ${moment}`, [one])),
        ...(await placedBy(rig, `${DIALS} accounts, ${moment}`, many)),
      );
    }
    const bare = await bareDialler(database.url, DIALS);
    return [
      ...findings,
      noted('bare statements: one connection, batches of 25', '/s', bare.perSecond),
      noted('bare statements: account locked, p50', 'ms', quantile(bare.holdMs, 0.5)),
    ];
  });
}

async function placedBy(
  { database, carrier, counts }: DialRig,
  name: string,
  customers: readonly DialCustomer[],
): Promise<Finding[]> {
  say(`dialer: ${DIALS} calls, ${name}`);
  const journal = join(database.dataDir, 'sandbox-journal.jsonl');
  const earlier = readDials(journal).length;
  const before = await counts();
  const carrierBefore = cpuMsOf(carrier.pid);
  await startCampaigns(
    database.pool,
    customers.flatMap(({ campaignIds }) => campaignIds),
  );
  await until(database, ENDED, [customers.map(({ id }) => id)], DIALS);
  const run = since(before, await counts());
  const dials = readDials(journal).slice(earlier);
  printTexts(run, DIALS);
  const distinct = new Set(dials.map(({ from, to }) => `${from} ${to}`));
  return [
    above(`calls placed, ${name}`, '/s', TARGET_PER_SECOND, perSecond(dials)),
    below(`leads dialled twice, ${name}`, 'leads', 0, dials.length - distinct.size),
    noted(`account locked, p50, ${name}`, 'ms', quantile(run.holdMs, 0.5)),
    noted(`account locked, p95, ${name}`, 'ms', quantile(run.holdMs, 0.95)),
    noted(`statements per call, ${name}`, 'statements', countOf(run) / DIALS),
    ...byPhase(name, run, DIALS),
    noted(`CPU of the service per call, ${name}`, 'ms', run.cpuMs / DIALS),
    noted(`CPU of the carrier per call, ${name}`, 'ms', (cpuMsOf(carrier.pid) - carrierBefore) / DIALS),
  ];
}

function readDials(journal: string): Dial[] {
  // The last line may be incomplete.
  const lines = readJournal(journal).filter((line) => line.endsWith('}'));
  return lines.map((line) => JSON.parse(line) as Dial).filter(({ kind }) => kind === 'dial');
}

function readJournal(journal: string): string[] {
  try {
    return readFileSync(journal, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** From proc(5); NaN on other systems. */
function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
  } catch {
    return NaN;
  }
}

function perSecond(dials: readonly Dial[]): number {
  const times = dials.map(({ at }) => Date.parse(at));
  return ((dials.length - 1) * 1000) / Math.max(1, Math.max(...times) - Math.min(...times));
}
