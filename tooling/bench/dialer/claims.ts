import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#src/database/data-source-options.js';
import { LeadClaimsRepository } from '#src/modules/leads/lead-claims.repository.js';
import type { BenchDatabase } from '../support/database.js';
import { below, noted, type Finding } from '../support/findings.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';
import { median } from '../support/stats.js';
import { aDialCustomer } from './dial-customers.js';
import { withDialRig } from './dial-rig.js';

const SIZES: readonly [number, number, number] = [2_000, 200_000, positive('BENCH_LEADS', 1_000_000)];
const BATCH = 25;
const CLAIMS = 40;
/** Leads that are called and retried while the reader's transaction is open. */
const MOVED = 5_000;
const ROUNDS = 4;
const TARGET_MS = 5;

/** Time to find and lock 25 leads to call: the service's two statements. */
export function claims(database: BenchDatabase): Promise<Finding[]> {
  return withDialRig(database, 1, ({ service }) => claimsOf(database, service.url));
}

async function claimsOf(database: BenchDatabase, url: string): Promise<Finding[]> {
  const db = await new DataSource(dataSourceOptions(database.url, 'bench')).initialize();
  try {
    const findings: Finding[] = [];
    for (const size of SIZES) {
      say(`dialer: claims among ${size} leads`);
      const customer = await aDialCustomer(database.pool, url, `claims-${size}`, { campaigns: 1 });
      const [campaignId = 0] = customer.campaignIds;
      await fill(database, campaignId, size);
      findings.push(below(`claim, ${size} leads`, 'ms', TARGET_MS, await claimMs(db, campaignId)));
      const reader = await database.pool.connect();
      try {
        await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
        await reader.query('SELECT count(*) FROM plans');
        await move(db, campaignId, Math.min(MOVED, size / 2));
        findings.push(
          below(
            `claim, ${size} leads, beside an old snapshot`,
            'ms',
            TARGET_MS,
            await claimMs(db, campaignId),
          ),
        );
      } finally {
        await reader.query('ROLLBACK');
        reader.release();
      }
    }
    return [...findings, ...(await withoutZone(database, db, url))];
  } finally {
    await db.destroy();
  }
}

/** Beside leads with undetermined time zones, and the time to determine the first of them. */
async function withoutZone(database: BenchDatabase, db: DataSource, url: string): Promise<Finding[]> {
  const { pool } = database;
  const customer = await aDialCustomer(pool, url, 'claims-without-zone', { campaigns: 2 });
  const [campaignId = 0, other = 0] = customer.campaignIds;
  await fill(database, campaignId, SIZES[0]);
  await fill(database, other, SIZES[1]);
  await pool.query('UPDATE leads SET zone = NULL WHERE campaign_id = $1', [other]);
  await pool.query('VACUUM ANALYZE leads');
  const began = performance.now();
  await db.transaction((tx) => new LeadClaimsRepository().claimLeadsWithoutZone(tx, [other], BATCH));
  const found = performance.now() - began;
  return [
    below(`claim, beside ${SIZES[1]} leads without zone`, 'ms', TARGET_MS, await claimMs(db, campaignId)),
    noted(`${BATCH} of ${SIZES[1]} leads without zone`, 'ms', found),
  ];
}

export async function claimMs(db: DataSource, campaignId: number): Promise<number> {
  const repository = new LeadClaimsRepository();
  const times: number[] = [];
  for (let claim = 0; claim < CLAIMS; claim++) {
    await db.transaction(async (tx) => {
      const began = performance.now();
      const groups = await repository.findGroups(tx, [campaignId]);
      const leads = await repository.claimDue(tx, groups, new Map([[campaignId, BATCH]]));
      times.push(performance.now() - began);
      if (leads.length !== BATCH) throw new Error(`${leads.length} leads`);
    });
  }
  return median(times);
}

async function fill({ pool }: BenchDatabase, campaignId: number, size: number): Promise<void> {
  await pool.query(
    `INSERT INTO leads (account_id, campaign_id, phone_number, zone, due_at)
     SELECT account_id, id, '+1' || 2160000000 + i, (ARRAY['America/New_York@US', 'America/Chicago@US'])[1 + i % 2],
            now() - interval '1 ms' * (1 + i) FROM campaigns, generate_series(1, $2::int) i WHERE id = $1`,
    [campaignId, size],
  );
  await pool.query('VACUUM ANALYZE leads');
}

/**
 * The first leads of the queue are called and requeued at once: their old row versions remain while the reader is
 * open.
 */
async function move(db: DataSource, campaignId: number, leads: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await db.query(
      `UPDATE leads SET status = 'processing' WHERE id IN (
         SELECT id FROM leads WHERE campaign_id = $1 AND status = 'created' ORDER BY due_at, id LIMIT $2)`,
      [campaignId, leads],
    );
    await db.query(
      `UPDATE leads SET status = 'created', due_at = now() - interval '1 second'
        WHERE campaign_id = $1 AND status = 'processing'`,
      [campaignId],
    );
  }
}
