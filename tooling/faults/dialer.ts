/**
 * npm run faults -- dialer [--leads N] [--seed N] [--broken twice|burns|leaks|miscounts]: campaigns call through a
 * carrier that refuses, hangs and loses responses, while a process is killed between each two steps of a call and
 * Redis is emptied. Every attempt is dialled at most once, no lead ends without a dial, every slot is released in
 * time, and the statistics count every call once.
 */
import { loadavg } from 'node:os';
import { operatorCommand } from './support/operator-command.js';
import { verifyStatistics } from './verifiers/statistics.js';
import { slotHeldMs, verifyDialer } from './verifiers/dialer.js';
import { CallQueries } from './support/call-queries.js';
import { StepKills } from './support/call-steps.js';
import { CampaignCustomer, sandboxNumbers } from './support/campaign-customer.js';
import { FLUSH, underFaults } from './support/chaos.js';
import { CALL_FAULTS, NO_FAULTS, RARE_CALL_FAULTS } from './support/faulty-carrier.js';
import { dialsOf } from '../harness/sandbox-process.js';
import { waitAtMost, waitUntilIdle } from './support/wait-until-idle.js';
import { faultRun, say, withCluster, type RunOptions } from './support/fault-run.js';
import type { Cluster, ClusterOptions } from './support/cluster.js';
import { numberOption } from './support/run-options.js';

export const BROKEN = {
  twice: 'broken/dial-twice',
  burns: 'broken/burn-attempts',
  leaks: 'broken/leak-slots',
  /** Is planted by SQL. */
  miscounts: null,
};

/** Each has ten slots: with many more, calls on a busy machine wait longer than the limit for a slot. */
const CUSTOMERS = 10;
const LEADS = 10_000;
/** A planted defect is visible without kills. */
const LEADS_BROKEN = 200;
const BROKEN_MS = 20_000;
/** Callees of the sandbox with other results than a busy line. */
const SPECIAL = ['0001', '0002', '0004', '0005', '0010', '0020', '0023', '0024', '0028', '0052'];
const FIRST_BUSY = 6000;
/** Number of kills at each step. */
const ROUNDS = 2;
const RING_SECONDS = 10;
/** A slot is free within the ring time and this time. */
const SLOT_GRACE_MS = 10_000;
const SETTLE_MS = 600_000;
/** Between the random faults. */
const PAUSE_MS = 10_000;

export const run = (args: string[]): Promise<void> =>
  faultRun(args, Object.keys(BROKEN), (options) => work(options, args));

const preloadOf = (module: string | null): string[] => (module === null ? [] : [module]);

async function work({ random, broken }: RunOptions, args: string[]): Promise<string[]> {
  const leads = numberOption(args, '--leads', broken === null ? LEADS : LEADS_BROKEN);
  const perCustomer = Math.ceil(leads / CUSTOMERS);
  const kills = new StepKills();
  const options: ClusterOptions = {
    random,
    roles: ['api', 'worker', 'worker'],
    env: { RING_TIMEOUT_SECONDS: String(RING_SECONDS), ...kills.env },
    sandboxSpeed: 400,
    preload: broken === null ? ['patches/kill-at-steps'] : preloadOf(BROKEN[broken as keyof typeof BROKEN]),
  };
  const dial = async (cluster: Cluster, queries: CallQueries): Promise<string[]> => {
    const customers: CampaignCustomer[] = [];
    for (let count = 0; count < CUSTOMERS; count++) {
      customers.push(
        await CampaignCustomer.create(cluster.url, sandboxNumbers(perCustomer, SPECIAL, FIRST_BUSY)),
      );
    }
    cluster.carrier.use(broken === null ? RARE_CALL_FAULTS : CALL_FAULTS);
    for (const customer of customers) await customer.start();
    const underWay = (): Promise<string[]> => queries.underWay();
    const faults =
      broken === null
        ? kills.run(cluster, { random, rounds: ROUNDS, underWay })
        : waitAtMost(underWay, BROKEN_MS);
    const missing = await underFaults({ cluster, random, pauseMs: PAUSE_MS }, [[FLUSH]], faults);
    const calmSince = Date.now();
    cluster.carrier.use(NO_FAULTS);
    const left = (await underWay()).length;
    say(`after the faults ${left} leads and calls are left; load average ${loadavg()[0]?.toFixed(1)}`);
    await waitUntilIdle(underWay, SETTLE_MS);
    const observed = {
      leads: CUSTOMERS * perCustomer,
      dials: dialsOf(cluster.sandbox.journal()),
      attempts: await queries.attempts(),
      rows: await queries.leads(),
      calmSince,
      slotMs: RING_SECONDS * 1_000 + SLOT_GRACE_MS,
    };
    say(`carrier: ${JSON.stringify(cluster.carrier.fates)}`);
    const longest = Math.max(...observed.attempts.map((attempt) => slotHeldMs(attempt, calmSince)));
    say(
      `${observed.attempts.length} attempts for ${observed.leads} leads, ${observed.dials.length} dials; the last ` +
        `slots were free after ${(longest / 1_000).toFixed(1)} s; load average ${loadavg()[0]?.toFixed(1)}`,
    );
    if (broken === 'miscounts') await queries.miscount();
    const stored = await queries.statuses();
    const accounts = await Promise.all(
      customers.map(async (customer) => {
        const { id } = customer.account;
        return { id, shown: await customer.callsByStatus(), counted: stored.get(id) ?? {} };
      }),
    );
    const verify = await operatorCommand(cluster.commandEnv(), 'accounts', 'verify');
    // A short run with a planted defect does not require every fault.
    const expected = broken === null ? [...missing, ...kills.missing(ROUNDS)] : [];
    return [
      ...expected,
      ...cluster.endedByThemselves(),
      ...verifyDialer(observed),
      ...verifyStatistics({ accounts, verify }),
    ];
  };
  try {
    return await withCluster(options, (url) => new CallQueries(url), dial);
  } finally {
    kills.remove();
  }
}
