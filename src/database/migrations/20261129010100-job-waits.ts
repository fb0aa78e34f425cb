import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a job of personal data waits for the same. */
export class JobWaits20261129010100 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE personal_data_jobs ADD COLUMN waits_since timestamptz;');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE personal_data_jobs DROP COLUMN waits_since;');
  }
}
