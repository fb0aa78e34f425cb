import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What tells a restored database from the one that it was copied from, and what holds its work back. */
export class RestoreGate20261128170000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE installation
        ADD COLUMN database_identity text,
        ADD COLUMN seen_at timestamptz,
        ADD COLUMN restored_at timestamptz,
        ADD COLUMN restored_to timestamptz,
        ADD COLUMN restored_because text;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE installation
        DROP COLUMN database_identity,
        DROP COLUMN seen_at,
        DROP COLUMN restored_at,
        DROP COLUMN restored_to,
        DROP COLUMN restored_because;`);
  }
}
