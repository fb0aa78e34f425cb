import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How each language model is asked, and the tokens that its answers took. */
export class ModelEndpoints20261122000400 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE language_models
        ADD COLUMN code text,
        ADD COLUMN endpoint text,
        ADD COLUMN takes_temperature boolean NOT NULL DEFAULT true,
        ADD COLUMN output_limit_field text NOT NULL DEFAULT 'max_tokens'
          CHECK (output_limit_field IN ('max_tokens', 'max_completion_tokens')),
        ADD COLUMN reasoning_effort text CHECK (reasoning_effort IN ('none', 'minimal', 'low', 'medium', 'high')),
        ADD COLUMN fallback_model_id int REFERENCES language_models`);
    await db.query(`
      CREATE TABLE call_model_usages (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        call_id int NOT NULL REFERENCES calls ON DELETE CASCADE,
        after_seq int NOT NULL,
        model text NOT NULL,
        prompt_tokens int NOT NULL,
        cached_tokens int NOT NULL,
        completion_tokens int NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now())`);
    await db.query('CREATE INDEX call_model_usages_call_id_idx ON call_model_usages (call_id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE call_model_usages');
    await db.query(`
      ALTER TABLE language_models
        DROP COLUMN code, DROP COLUMN endpoint, DROP COLUMN takes_temperature, DROP COLUMN output_limit_field,
        DROP COLUMN reasoning_effort, DROP COLUMN fallback_model_id`);
  }
}
