import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No entry can stand before the first one of an account. */
export class AuditEntryNumbers20261129020000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_seq_check CHECK (seq > 0)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_seq_check');
  }
}
