import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Built-in tools that clients declared for an assistant. */
export class AssistantClients20261126000600 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE assistants ADD COLUMN built_in_tools jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE assistants DROP COLUMN built_in_tools');
  }
}
