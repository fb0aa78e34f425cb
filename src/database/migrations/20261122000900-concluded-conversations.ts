import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells when the process that holds a conversation has stored all of it. */
export class ConcludedConversations20261122000900 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls ADD COLUMN concluded_claim int NOT NULL DEFAULT 0');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls DROP COLUMN concluded_claim');
  }
}
