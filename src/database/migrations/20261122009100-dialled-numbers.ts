import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For counting the calls to a number (MAX_CALLS_PER_NUMBER_PER_DAY), deleted ones too. */
export class DialledNumbers20261122009100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX calls_dialled ON calls (account_id, client_phone_number, created_at)
        WHERE type = 'outbound' AND carrier_sid IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX calls_dialled');
  }
}
