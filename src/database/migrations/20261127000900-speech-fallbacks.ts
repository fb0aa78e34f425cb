import type { MigrationInterface, QueryRunner } from 'typeorm';

const ADAPTERS = "('openai', 'deepgram', 'deepgram-flux', 'elevenlabs', 'cartesia')";

/** More speech providers, and who takes the place of one that fails in a call. */
export class SpeechFallbacks20261127000900 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE speech_providers
        ADD COLUMN fallback_provider_id int REFERENCES speech_providers,
        DROP CONSTRAINT speech_providers_adapter_check,
        ADD CONSTRAINT speech_providers_adapter_check CHECK (adapter IN ${ADAPTERS});
      UPDATE speech_providers SET seeded = seeded || '{"fallback_provider_id": null}' WHERE seeded IS NOT NULL;
      ALTER TABLE assistants ADD COLUMN fallback_voice_ids int[] NOT NULL DEFAULT '{}';
      ALTER TABLE calls ADD COLUMN provider_failures jsonb NOT NULL DEFAULT '[]';`);
  }

  /** Assistants with providers of the other adapters go on with the carrier's speech. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE calls DROP COLUMN provider_failures;
      ALTER TABLE assistants DROP COLUMN fallback_voice_ids;
      UPDATE assistants SET synthesizer_provider_id = NULL, transcriber_provider_id = NULL
       WHERE synthesizer_provider_id IN (SELECT id FROM speech_providers WHERE NOT (adapter = 'openai'))
          OR transcriber_provider_id IN (SELECT id FROM speech_providers WHERE adapter = 'deepgram-flux');
      UPDATE speech_providers SET replaced_by_id = NULL
       WHERE replaced_by_id IN (SELECT id FROM speech_providers WHERE adapter NOT IN ('openai', 'deepgram'));
      ALTER TABLE speech_providers DROP COLUMN fallback_provider_id;
      DELETE FROM speech_providers
       WHERE adapter NOT IN ('openai', 'deepgram') OR (adapter = 'deepgram' AND kind = 'synthesizer');
      UPDATE speech_providers SET seeded = seeded - 'fallback_provider_id' WHERE seeded IS NOT NULL;
      ALTER TABLE speech_providers
        DROP CONSTRAINT speech_providers_adapter_check,
        ADD CONSTRAINT speech_providers_adapter_check CHECK (adapter IN ('openai', 'deepgram'));`);
  }
}
