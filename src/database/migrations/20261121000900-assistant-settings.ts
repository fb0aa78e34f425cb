import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings of an assistant beyond the specification's. Assistants of before behave as they did. */
export class AssistantSettings20261121000900 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE assistants
        ADD COLUMN written_fillers jsonb,
        ADD COLUMN reengagement_prompt text,
        ADD COLUMN max_initial_silence_duration int,
        ADD COLUMN ringing_time int,
        ADD COLUMN llm_fallback_model_id int REFERENCES language_models,
        ADD COLUMN voice_mail_message text,
        ADD COLUMN transfer_numbers jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN synthesizer_provider_id int,
        ADD COLUMN transcriber_provider_id int;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE assistants
        DROP COLUMN transcriber_provider_id,
        DROP COLUMN synthesizer_provider_id,
        DROP COLUMN transfer_numbers,
        DROP COLUMN voice_mail_message,
        DROP COLUMN llm_fallback_model_id,
        DROP COLUMN ringing_time,
        DROP COLUMN max_initial_silence_duration,
        DROP COLUMN reengagement_prompt,
        DROP COLUMN written_fillers;
    `);
  }
}
