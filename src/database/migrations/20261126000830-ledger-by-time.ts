import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LedgerByTime20261126000830 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX ledger_entries_account_time ON ledger_entries (account_id, created_at)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ledger_entries_account_time');
  }
}
