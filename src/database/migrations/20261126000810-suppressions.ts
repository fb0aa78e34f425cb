import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Suppressions20261126000810 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE suppressions (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        phone_number text NOT NULL,
        reason text,
        source text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        former jsonb,
        UNIQUE (account_id, phone_number)
      );
      CREATE INDEX suppressions_account ON suppressions (account_id, created_at DESC, id DESC);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE suppressions CASCADE;
    `);
  }
}
