import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Assistants decide which numbers are kept out of their conversations. */
export class Redaction20261128160000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE assistants ADD COLUMN redaction text NOT NULL DEFAULT 'off'
        CONSTRAINT assistants_redaction_check CHECK (redaction IN ('off', 'store', 'model'));`);
  }

  /** What was redacted stays so. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE assistants DROP COLUMN redaction;');
  }
}
