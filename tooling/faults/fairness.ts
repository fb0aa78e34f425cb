/**
 * npm run faults -- fairness [--leads N] [--seed N] [--broken touches]: the mutual cost of campaigns. 4 campaigns of
 * 200,000 leads outside their window: no lead is written, and another account's start → dial stays within 500 ms. Ten
 * campaigns of three accounts, one of them a hundred times as big, with a carrier that responds after 3 s: the small
 * ones take at most 1.2 times as long as without the big one.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { zoneKeyOf } from '#src/modules/leads/zone-key.js';
import { mean, verifyClosedWindows, verifyShares } from './verifiers/fairness.js';
import { CampaignAccount } from './support/campaign-account.js';
import { sandboxNumbers } from './support/campaign-customer.js';
import { CampaignRows } from './support/campaign-rows.js';
import type { Cluster, ClusterOptions } from './support/cluster.js';
import { faultRun, say, withCluster, type RunOptions } from './support/fault-run.js';
import { numberOption } from './support/run-options.js';

export const BROKEN = { touches: 'broken/touch-leads' };

const CLOSED = { campaigns: 4, leads: 200_000, brokenLeads: 1_000 };
/** Before the leads exist, and beside them. */
const STARTS = { alone: 5, beside: 10 };
/** Duration of the observation of sleeping campaigns. */
const WATCHED_MS = 10_000;
/** Small campaigns of each account; the big one is the first account's. */
const SMALL = [3, 3, 3];
const SMALL_LEADS = 40;
const BIG_LEADS = 100 * SMALL_LEADS;
const CARRIER_MS = 3_000;
const PARALLEL = 5;
const BIG_PARALLEL = 10;
/** Busy callees: 6000 to 7999. */
const FIRST_BUSY = 6_000;
const FIRST_BUSY_SMALL = 7_800;
const POLL_MS = 20;
const SLEEP_MS = 120_000;
const DIAL_MS = 30_000;
const SHARE_MS = 300_000;
const DAY_MS = 86_400_000;
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export const run = (args: string[]): Promise<void> =>
  faultRun(args, Object.keys(BROKEN), (options) => work(options, args));

async function work({ random, broken }: RunOptions, args: string[]): Promise<string[]> {
  const leads = numberOption(args, '--leads', broken === null ? CLOSED.leads : CLOSED.brokenLeads);
  const options: ClusterOptions = {
    random,
    roles: ['api', 'worker', 'worker'],
    sandboxSpeed: 400,
    preload: broken === null ? [] : [BROKEN[broken as keyof typeof BROKEN]],
  };
  return withCluster(
    options,
    (url) => new CampaignRows(url),
    async (cluster, rows) => {
      const problems = await closedWindows(cluster, rows, leads);
      if (broken === null) problems.push(...(await shares(cluster, rows)));
      return [...cluster.endedByThemselves(), ...problems];
    },
  );
}

async function closedWindows(cluster: Cluster, rows: CampaignRows, leads: number): Promise<string[]> {
  const [crowded, other] = [
    await CampaignAccount.create(cluster.url),
    await CampaignAccount.create(cluster.url),
  ];
  const alone = await startsToDial(cluster, other, STARTS.alone);
  const zone = zoneKeyOf({ phoneNumber: '+12125550100', variables: {} });
  // In three days: closed now in every time zone.
  const day = DAYS[new Date(Date.now() + 3 * DAY_MS).getUTCDay()];
  const closed: number[] = [];
  for (let count = 0; count < CLOSED.campaigns; count++) {
    const campaignId = await crowded.campaign({ windows: [{ days: [day], start: '10:00', end: '10:01' }] });
    const number = `'+1212' || (2000000 + n)`;
    await rows.insert({ accountId: crowded.id, campaignId, count: leads, zone, number });
    closed.push(campaignId);
  }
  await rows.analyze();
  const mark = await rows.mark();
  for (const id of closed) await crowded.start(id);
  await within(SLEEP_MS, async () => ((await rows.areAsleep(closed)) ? true : null));
  const startToDialMs = await startsToDial(cluster, other, STARTS.beside);
  await sleep(WATCHED_MS);
  const written = await rows.writtenSince(mark, closed, leads * closed.length);
  const list = (times: (number | null)[]): string => times.map((ms) => ms ?? 'never').join(', ');
  say(
    `${closed.length} × ${leads} leads outside their window: ${written} written; start → dial of another account ` +
      `${list(startToDialMs)} ms (without them ${list(alone)} ms); load average ${loadavg()[0]?.toFixed(1)}`,
  );
  return verifyClosedWindows({ written, startToDialMs });
}

/** Starts campaigns of one lead, one after the other. @returns milliseconds from each request to its dial */
async function startsToDial(
  { sandbox }: Cluster,
  account: CampaignAccount,
  count: number,
): Promise<(number | null)[]> {
  const times: (number | null)[] = [];
  for (let index = 0; index < count; index++) {
    const number = `+1500555${FIRST_BUSY + index}`;
    const campaign = await account.campaign({}, [number]);
    const from = await account.start(campaign);
    const dialled = (): number | null => {
      const at = sandbox.journal().findLast(({ kind, to }) => kind === 'dial' && to === number)?.at;
      return at !== undefined && Date.parse(at) >= from ? Date.parse(at) - from : null;
    };
    times.push(await within(DIAL_MS, async () => dialled()));
  }
  return times;
}

async function shares(cluster: Cluster, rows: CampaignRows): Promise<string[]> {
  cluster.carrier.delayMs = CARRIER_MS;
  // Newly started processes are slower.
  await smallCampaigns(cluster, rows, 0);
  const { smallMs: aloneMs } = await smallCampaigns(cluster, rows, 0);
  const { smallMs: besideMs, bigCalls } = await smallCampaigns(cluster, rows, BIG_LEADS);
  const seconds = (times: number[]): string =>
    `${(mean(times) / 1_000).toFixed(1)} s on average, ${(Math.max(...times) / 1_000).toFixed(1)} s the slowest`;
  say(
    `${aloneMs.length} small campaigns: ${seconds(aloneMs)}; beside a big one, with ` +
      `${bigCalls} calls meanwhile, ${seconds(besideMs)}; load average ${loadavg()[0]?.toFixed(1)}`,
  );
  return verifyShares({ aloneMs, besideMs });
}

/** Runs small campaigns, beside a big one of `bigLeads`. @returns their durations in milliseconds, and its calls */
async function smallCampaigns(
  cluster: Cluster,
  rows: CampaignRows,
  bigLeads: number,
): Promise<{ smallMs: number[]; bigCalls: number }> {
  const accounts: CampaignAccount[] = [];
  for (let count = 0; count < SMALL.length; count++) accounts.push(await CampaignAccount.create(cluster.url));
  const begun = new Map<number, number>();
  let big = 0;
  const [first] = accounts;
  if (bigLeads > 0 && first) {
    const campaignId = await first.campaign({ max_calls_in_parallel: BIG_PARALLEL });
    const number = `'+1500555' || (${FIRST_BUSY} + n % ${FIRST_BUSY_SMALL - FIRST_BUSY})`;
    const zone = zoneKeyOf({ phoneNumber: `+1500555${FIRST_BUSY}`, variables: {} });
    await rows.insert({ accountId: first.id, campaignId, count: bigLeads, zone, number, isDuplicate: true });
    await first.start(campaignId);
    big = campaignId;
  }
  const small: { account: CampaignAccount; id: number }[] = [];
  for (const [index, account] of accounts.entries()) {
    for (let count = 0; count < (SMALL[index] ?? 0); count++) {
      const numbers = sandboxNumbers(SMALL_LEADS, [], FIRST_BUSY_SMALL + count * SMALL_LEADS);
      small.push({ account, id: await account.campaign({ max_calls_in_parallel: PARALLEL }, numbers) });
    }
  }
  await Promise.all(small.map(async ({ account, id }) => begun.set(id, await account.start(id))));
  const ids = [...begun.keys()];
  const ends = await within(SHARE_MS, async () => {
    const found = await rows.ends(ids);
    return found.size === ids.length ? found : null;
  });
  return {
    smallMs: [...begun].map(([id, from]) => (ends?.get(id) ?? Infinity) - from),
    bigCalls: await rows.calls(big),
  };
}

/** The first value of `look` that is not null; null after the timeout. */
async function within<T>(ms: number, look: () => Promise<T | null>): Promise<T | null> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(POLL_MS)) {
    const value = await look();
    if (value !== null) return value;
  }
  return null;
}
