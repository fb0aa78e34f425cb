import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of leads, and when campaigns completed by themselves; not known of earlier ones. */
export class LeadOutcomes20261122009600 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE leads ADD COLUMN last_outcome text, ADD COLUMN number_invalid boolean NOT NULL DEFAULT false,
        ADD COLUMN requeue_after_call boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT leads_last_outcome_check
          CHECK (last_outcome IN ('completed', 'goal_incomplete', 'opted_out', 'machine', 'busy', 'no-answer', 'failed',
            'invalid_number', 'no_timezone', 'number_limit', 'suppressed', 'destination_not_allowed'));
      ALTER TABLE campaigns ADD COLUMN completed_at timestamptz;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE campaigns DROP COLUMN completed_at;
      ALTER TABLE leads DROP COLUMN last_outcome, DROP COLUMN number_invalid, DROP COLUMN requeue_after_call;
    `);
  }
}
