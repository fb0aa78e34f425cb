import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads of a deleted campaign are removed in batches after the deletion; the index finds such campaigns. */
export class CampaignRemoval20261121000200 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE campaigns ADD COLUMN leads_removed_at timestamptz;
      UPDATE campaigns SET leads_removed_at = deleted_at WHERE deleted_at IS NOT NULL;
      CREATE INDEX campaigns_to_empty ON campaigns (account_id, deleted_at, id)
        WHERE deleted_at IS NOT NULL AND leads_removed_at IS NULL;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    // Without the column no job would remove them.
    await db.query(`
      DELETE FROM leads WHERE campaign_id IN (
        SELECT id FROM campaigns WHERE deleted_at IS NOT NULL AND leads_removed_at IS NULL);
      DROP INDEX campaigns_to_empty;
      ALTER TABLE campaigns DROP COLUMN leads_removed_at;
    `);
  }
}
