import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who speaks and who transcribes on audio lines. */
export class SpeechProviders20261122009900 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE speech_providers (
        id int PRIMARY KEY,
        name text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('synthesizer', 'transcriber')),
        adapter text NOT NULL CHECK (adapter IN ('openai', 'deepgram')),
        code text NOT NULL,
        endpoint text,
        default_voice text
      )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE speech_providers');
  }
}
