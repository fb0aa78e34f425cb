import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which process holds a call's conversation: the one with the newest claim. */
export class ConversationClaim20261122000300 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls ADD COLUMN conversation_claim int NOT NULL DEFAULT 0');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls DROP COLUMN conversation_claim');
  }
}
