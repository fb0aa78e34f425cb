import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When call screening answered a call: its machine is no answering machine. */
export class CallScreening20261122002100 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls ADD COLUMN screened_at timestamptz');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls DROP COLUMN screened_at');
  }
}
