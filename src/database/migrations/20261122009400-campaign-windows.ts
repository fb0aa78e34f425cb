import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Several windows, all possible time zones, and the hours that the law allows. */
export class CampaignWindows20261122009400 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE campaigns
        ADD COLUMN windows jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN strict_timezones boolean NOT NULL DEFAULT false,
        ADD COLUMN quiet_hours text NOT NULL DEFAULT 'none',
        ADD CONSTRAINT campaigns_quiet_hours_check CHECK (quiet_hours IN ('none', 'auto'))
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE campaigns DROP COLUMN windows, DROP COLUMN strict_timezones, DROP COLUMN quiet_hours
    `);
  }
}
