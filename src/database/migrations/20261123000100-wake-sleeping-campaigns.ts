import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';

const WAKE = `
  UPDATE campaigns SET wake_at = at
   WHERE id = campaign AND status = 'in-progress' AND NOT waits_for_slot AND wake_at >`;

/**
 * A changed lead waits for a dialler that is about to let the campaign sleep. Without the lock its transaction could
 * find the campaign still awake, and the dialler the lead unchanged: nothing woke the campaign again.
 */
export class WakeSleepingCampaigns20261123000100 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE OR REPLACE FUNCTION wake_campaign(campaign int, at timestamptz) RETURNS void LANGUAGE sql AS $$
        SELECT pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.campaignSleep}, campaign);
        -- One that is due already is being worked on, perhaps: this must not wait for its row.
        ${WAKE} greatest(at, clock_timestamp())
      $$;
      -- Campaigns that were left asleep look at their leads once.
      UPDATE campaigns SET wake_at = now() WHERE status = 'in-progress' AND wake_at = 'infinity';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE OR REPLACE FUNCTION wake_campaign(campaign int, at timestamptz) RETURNS void LANGUAGE sql AS $$
        ${WAKE} at
      $$;
    `);
  }
}
