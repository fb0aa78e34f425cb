import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a call was evaluated, and an index for counting the calls that were made from a number. */
export class CallEvaluations20261122009610 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE calls ADD COLUMN evaluated_at timestamptz;
      CREATE INDEX calls_callers ON calls (account_id, assistant_phone_number, created_at) WHERE type = 'outbound';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX calls_callers; ALTER TABLE calls DROP COLUMN evaluated_at;');
  }
}
