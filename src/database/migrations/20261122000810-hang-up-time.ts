import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the service hangs up a call that a machine answered. */
export class HangUpTime20261122000810 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls ADD COLUMN hang_up_at timestamptz');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls DROP COLUMN hang_up_at');
  }
}
