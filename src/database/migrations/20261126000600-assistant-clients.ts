import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings of assistants that published clients know: built-in tools, and when a text conversation has ended. */
export class AssistantClients20261126000600 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE assistants
        ADD COLUMN built_in_tools jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN conversation_inactivity_timeout int NOT NULL DEFAULT 10;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE assistants DROP COLUMN built_in_tools, DROP COLUMN conversation_inactivity_timeout;
    `);
  }
}
