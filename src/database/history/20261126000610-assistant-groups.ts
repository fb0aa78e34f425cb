import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Folders and labels of assistants. */
export class AssistantGroups20261126000610 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE assistant_groups (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('folder', 'label')),
        name text NOT NULL,
        color text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (account_id, kind, name)
      );
      CREATE INDEX assistant_groups_account ON assistant_groups (account_id, kind, created_at DESC, id DESC);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE assistant_groups');
  }
}
