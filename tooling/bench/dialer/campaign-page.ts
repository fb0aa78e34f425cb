import type { BenchDatabase } from '../support/database.js';
import { below, noted, type Finding } from '../support/findings.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';
import { quantile } from '../support/stats.js';
import { aDialCustomer } from './dial-customers.js';
import { withDialRig } from './dial-rig.js';
import { countOf, since } from './statement-counts.js';

const ROWS = positive('BENCH_LEADS', 1_000_000);
const REQUESTS = 200;
const TARGET_MS = 10;
const PREVIEW_TARGET_MS = 50;

/** GET of one campaign with its statistics, and of its preview. */
export async function campaignPage(database: BenchDatabase): Promise<Finding[]> {
  return withDialRig(database, 1, async ({ service, counts }) => {
    const { pool } = database;
    const customer = await aDialCustomer(pool, service.url, 'page', { campaigns: 1 });
    const [campaignId = 0] = customer.campaignIds;
    say(`dialer: a campaign with ${ROWS} leads and calls`);
    await fill(database, campaignId);
    const timesOf = async (path: string): Promise<number[]> => {
      const times: number[] = [];
      for (let request = 0; request < REQUESTS; request++) {
        const began = performance.now();
        const answer = await fetch(`${service.url}/api/user/campaigns/${campaignId}${path}`, {
          headers: customer.headers,
        });
        await answer.text();
        times.push(performance.now() - began);
        if (!answer.ok) throw new Error(`campaign${path}: ${answer.status}`);
      }
      return times;
    };
    const cold = await timesOf('');
    const times = await timesOf('');
    const before = await counts();
    const previews = await timesOf('/preview');
    const previewed = since(before, await counts());
    return [
      below(`GET campaign, ${ROWS} leads and calls, p50`, 'ms', TARGET_MS, quantile(times, 0.5)),
      below(`GET campaign, ${ROWS} leads and calls, p95`, 'ms', TARGET_MS, quantile(times, 0.95)),
      noted(`GET campaign, the first ${REQUESTS} after the start, p95`, 'ms', quantile(cold, 0.95)),
      below(`preview, ${ROWS} leads, p50`, 'ms', PREVIEW_TARGET_MS, quantile(previews, 0.5)),
      noted(`preview, ${ROWS} leads`, 'statements', countOf(previewed, ['other']) / REQUESTS),
    ];
  });
}

async function fill({ pool }: BenchDatabase, campaignId: number): Promise<void> {
  await pool.query(
    `INSERT INTO leads (account_id, campaign_id, phone_number, status)
     SELECT account_id, id, '+1' || 2170000000 + i, (ARRAY['completed', 'created', 'reached-max-retries'])[1 + i % 3]
       FROM campaigns, generate_series(1, $2::int) i WHERE id = $1`,
    [campaignId, ROWS],
  );
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // Without the triggers for each row, which take minutes; one statement inserts the counters.
    await client.query('ALTER TABLE calls DISABLE TRIGGER USER');
    await client.query(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status, token,
         assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration, ended_at)
       SELECT account_id, assistant_id, 'Bench', id, name, 'outbound',
              (ARRAY['completed', 'busy', 'no-answer'])[1 + i % 3], 'page-' || i, '+14155550100', '+1' || 2170000000 + i,
              '{}', 20000, 300, now()
         FROM campaigns, generate_series(1, $2::int) i WHERE id = $1`,
      [campaignId, ROWS],
    );
    await client.query('ALTER TABLE calls ENABLE TRIGGER USER');
    await client.query(
      `INSERT INTO call_tallies
       SELECT account_id, created_at::date, assistant_id, campaign_id, type, status, count(*)
         FROM calls WHERE campaign_id = $1 GROUP BY 1, 2, 3, 4, 5, 6`,
      [campaignId],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await pool.query('VACUUM ANALYZE leads');
  await pool.query('VACUUM ANALYZE calls');
}
