import type { MigrationInterface, QueryRunner } from 'typeorm';

/** While the carrier takes no calls a campaign pauses and its lead keeps the status from before the attempt. */
export class DialPause20261121000600 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE campaigns ADD COLUMN carrier_refusals int NOT NULL DEFAULT 0, ADD COLUMN dial_after timestamptz;
      ALTER TABLE call_attempts ADD COLUMN lead_status text;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE call_attempts DROP COLUMN lead_status;
      ALTER TABLE campaigns DROP COLUMN dial_after, DROP COLUMN carrier_refusals;
    `);
  }
}
