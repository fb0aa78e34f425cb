import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase } from '../support/database.js';
import { below, noted, type Finding } from '../support/findings.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';
import { median } from '../support/stats.js';
import { addLeads, aDialCustomer, busy, startCampaigns } from './dial-customers.js';
import { until, withDialRig, type DialRig } from './dial-rig.js';
import { countOf, since } from './statement-counts.js';

const IDLE = positive('BENCH_IDLE', 1_000);
const WINDOW_MS = 10_000;
const SETTLE_MS = 5_000;
const STARTS = 10;
const TARGET_PER_SECOND = 10;
const TARGET_START_MS = 500;

/**
 * Campaigns in progress whose leads are due tomorrow, and the time to the first dial of a campaign that is started
 * beside them.
 */
export async function idle(database: BenchDatabase): Promise<Finding[]> {
  return withDialRig(database, 20, async (rig) => {
    const { pool } = database;
    const quiet = await perSecond(rig);
    const customer = await aDialCustomer(pool, rig.service.url, 'idle', { campaigns: IDLE });
    await pool.query(
      `INSERT INTO leads (account_id, campaign_id, phone_number, due_at)
       SELECT account_id, id, '+1212555' || 1000 + i, now() + interval '1 day'
         FROM campaigns, generate_series(1, 10) i WHERE account_id = $1`,
      [customer.id],
    );
    await startCampaigns(pool, customer.campaignIds);
    say(`dialer: ${IDLE} campaigns go to sleep`);
    await until(
      database,
      `SELECT count(*)::int AS n FROM campaigns WHERE account_id = $1 AND wake_at > now() + interval '1 hour'`,
      [customer.id],
      IDLE,
    );
    const asleep = await perSecond(rig);
    return [
      below(
        `${IDLE} campaigns with nothing due: the dialler's`,
        'statements/s',
        TARGET_PER_SECOND,
        asleep.dial,
      ),
      noted(`${IDLE} campaigns with nothing due: the service's`, 'statements/s', asleep.all, quiet.all),
      below(`start to dial, beside ${IDLE} campaigns`, 'ms', TARGET_START_MS, await startToDial(rig)),
    ];
  });
}

async function perSecond({ counts }: DialRig): Promise<{ dial: number; all: number }> {
  await sleep(SETTLE_MS);
  const before = await counts();
  await sleep(WINDOW_MS);
  const run = since(before, await counts());
  return { dial: (countOf(run, ['dial']) * 1000) / run.at, all: (countOf(run) * 1000) / run.at };
}

/** From the request that starts the campaign to the carrier's response, by the call's record; the median. */
async function startToDial({ database: { pool }, service }: DialRig): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const customer = await aDialCustomer(pool, service.url, `start-${start}`, { campaigns: 1 });
    const [campaign_id] = customer.campaignIds;
    await addLeads(pool, customer, [busy(start)]);
    const began = performance.now();
    const answer = await fetch(`${service.url}/api/user/campaigns/update-status`, {
      method: 'POST',
      headers: customer.headers,
      body: JSON.stringify({ campaign_id, action: 'start' }),
    });
    if (!answer.ok) throw new Error(`start: ${answer.status} ${await answer.text()}`);
    const asked = 'SELECT 1 FROM calls WHERE account_id = $1 AND carrier_sid IS NOT NULL';
    while ((await pool.query(asked, [customer.id])).rowCount === 0) await sleep(2);
    times.push(performance.now() - began);
  }
  return median(times);
}
