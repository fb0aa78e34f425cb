/**
 * npm run faults -- carrier [--seed N] [--broken stubborn|burns]: the carrier responds to every request with 401,
 * with 429 and with 503, each for 60 s, while a campaign with one attempt for each lead runs; with 503 also one of
 * few slots. No attempt is used up, only probes reach the carrier once campaigns are paused, dialling continues
 * within 30 s after, and every lead is dialled once.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyDialer } from './verifiers/dialer.js';
import { probesOf, verifyOutage, type OutageObservations } from './verifiers/carrier.js';
import { CallQueries } from './support/call-queries.js';
import { CampaignCustomer, sandboxNumbers } from './support/campaign-customer.js';
import type { Cluster, ClusterOptions } from './support/cluster.js';
import { faultRun, say, withCluster, type RunOptions } from './support/fault-run.js';
import type { OutageStatus } from './support/faulty-carrier.js';
import type { Random } from './support/random.js';
import { ProcessorWaits } from './support/processor-waits.js';
import { dialsOf } from '../harness/sandbox-process.js';
import { waitUntilIdle } from './support/wait-until-idle.js';

export const BROKEN = { stubborn: 'broken/never-pause', burns: 'broken/burn-attempts' };

/** With fewer than five slots an ambiguous carrier receives fewer than five requests for calls. */
const OUTAGES: readonly OutageKind[] = [
  { status: 401, slots: 10 },
  { status: 429, slots: 10 },
  { status: 503, slots: 10 },
  { status: 503, slots: 2 },
  { status: 503, slots: 1 },
];
const OUTAGE_MS = 60_000;
/** A planted defect is visible earlier, and with one status. */
const BROKEN_OUTAGE_MS = 15_000;
const LEADS = 30;
const SPECIAL = ['0002', '0005', '0020', '0023'];
const FIRST_BUSY = 6000;
const RING_SECONDS = 10;
const SETTLE_MS = 180_000;
const POLL_MS = 50;

interface OutageKind {
  status: OutageStatus;
  /** Of the campaign. */
  slots: number;
}

export const run = (args: string[]): Promise<void> => faultRun(args, Object.keys(BROKEN), work);

async function work({ random, broken }: RunOptions): Promise<string[]> {
  const problems: string[] = [];
  for (const kind of broken === null ? OUTAGES : OUTAGES.slice(0, 1)) {
    problems.push(...(await oneOutage(kind, random, broken)));
  }
  return problems;
}

/** With separate processes: after recent calls a process takes longer to detect that the carrier fails. */
async function oneOutage(kind: OutageKind, random: Random, broken: string | null): Promise<string[]> {
  const options: ClusterOptions = {
    random,
    roles: ['api', 'worker', 'worker'],
    env: { RING_TIMEOUT_SECONDS: String(RING_SECONDS) },
    sandboxSpeed: 400,
    preload: broken === null ? [] : [BROKEN[broken as keyof typeof BROKEN]],
  };
  return withCluster(
    options,
    (url) => new CallQueries(url),
    async (cluster, queries) => {
      const seen = await outage(cluster, queries, kind, broken === null ? OUTAGE_MS : BROKEN_OUTAGE_MS);
      tell(seen, kind.slots);
      const dialled = verifyDialer({
        leads: LEADS,
        dials: dialsOf(cluster.sandbox.journal()),
        attempts: await queries.attempts(),
        rows: seen.rowsAfter,
        calmSince: 0,
        slotMs: Infinity,
      });
      return [...cluster.endedByThemselves(), ...verifyOutage(seen), ...dialled];
    },
  );
}

async function outage(
  cluster: Cluster,
  queries: CallQueries,
  { status, slots }: OutageKind,
  ms: number,
): Promise<OutageObservations> {
  const { carrier, sandbox } = cluster;
  const waits = new ProcessorWaits(() => [process.pid, ...cluster.pids]);
  const customer = await CampaignCustomer.create(cluster.url, sandboxNumbers(LEADS, SPECIAL, FIRST_BUSY), {
    slots,
  });
  const from = Date.now();
  carrier.outage = status;
  await customer.start();
  let pausedAt: number | null = null;
  for (; Date.now() - from < ms; await sleep(POLL_MS)) {
    if (pausedAt === null && (await queries.isCarrierPaused())) pausedAt = Date.now();
  }
  const rows = await queries.leads(customer.campaignId);
  carrier.outage = null;
  const recoveredAt = Date.now();
  await waitUntilIdle(() => queries.underWay(), SETTLE_MS);
  waits.stop();
  const dials = sandbox.journal().filter(({ kind, at }) => kind === 'dial' && Date.parse(at) >= recoveredAt);
  const dialledAt = dials[0] ? Date.parse(dials[0].at) : null;
  return {
    status,
    rows,
    rowsAfter: await queries.leads(customer.campaignId),
    pausedAt,
    recoveredAt,
    requests: carrier.callRequests.filter((at) => at >= from),
    dialledAt,
    waitedMs: dialledAt === null ? 0 : waits.between(recoveredAt, dialledAt),
  };
}

function tell(seen: OutageObservations, slots: number): void {
  const { status, requests, pausedAt, recoveredAt, dialledAt } = seen;
  const refused = requests.filter((at) => at < recoveredAt);
  const from = requests[0] ?? recoveredAt;
  const probes = pausedAt === null ? [] : probesOf(seen, pausedAt);
  const seconds = (at: number | null): string => (at === null ? 'never' : `${(at / 1_000).toFixed(1)} s`);
  say(
    `${status}, ${slots} slots: ${refused.length} requests, paused after ${seconds(pausedAt && pausedAt - from)}, ` +
      `${probes.length} probes after ${probes.map((at) => seconds(at - from)).join(', ')}; ` +
      `first dial ${seconds(dialledAt && dialledAt - recoveredAt)} after the outage; load average ${loadavg()[0]?.toFixed(1)}`,
  );
}
