import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Tools20261126000809 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE tools (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        name text NOT NULL,
        description text NOT NULL,
        endpoint text NOT NULL,
        method text NOT NULL,
        timeout int NOT NULL,
        headers jsonb NOT NULL,
        schema jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX tools_account ON tools (account_id, created_at DESC, id DESC);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE tools;
    `);
  }
}
