import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a campaign stopped by itself. */
export class StopReasons20261122009300 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE campaigns ADD COLUMN stopped_reason text,
        ADD CONSTRAINT campaigns_stopped_reason_check
          CHECK (stopped_reason IN ('balance', 'assistant_inactive', 'assistant_deleted', 'no_phone_number'))
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE campaigns DROP COLUMN stopped_reason');
  }
}
