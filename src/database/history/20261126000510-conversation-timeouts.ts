import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long text conversations of an assistant wait for a message, in minutes. */
export class ConversationTimeouts20261126000510 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE assistants ADD COLUMN conversation_inactivity_timeout int NOT NULL DEFAULT 10',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE assistants DROP COLUMN conversation_inactivity_timeout');
  }
}
