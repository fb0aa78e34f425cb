import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fillers and waiting phrases among the turns. */
export class FillerTurns20261127000910 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE call_turns ADD COLUMN kind text NOT NULL DEFAULT 'speech'
        CONSTRAINT call_turns_kind_check CHECK (kind IN ('speech', 'filler'));`);
  }

  /** Fillers stay, as what the assistant said. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE call_turns DROP COLUMN kind;');
  }
}
