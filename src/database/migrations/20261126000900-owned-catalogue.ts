import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What starts of earlier versions wrote into `language_models`: what differs by now was set by the operator. */
const SHIPPED_MODELS = `(VALUES
  (1, 'gpt-4.1-mini', 'pipeline', true, 'max_completion_tokens', NULL, 5),
  (2, 'gpt-4.1', 'pipeline', true, 'max_completion_tokens', NULL, 1),
  (3, 'gpt-4.1-nano', 'pipeline', true, 'max_completion_tokens', NULL, 5),
  (4, 'gpt-4o', 'pipeline', true, 'max_completion_tokens', NULL, 1),
  (5, 'gpt-4o-mini', 'pipeline', true, 'max_completion_tokens', NULL, 1),
  (6, 'gpt-5-mini', 'pipeline', false, 'max_completion_tokens', 'minimal', 1),
  (7, 'llama-3.3-70b-versatile', 'pipeline', true, 'max_tokens', NULL, 1),
  (8, 'mistral-small-latest', 'pipeline', true, 'max_tokens', NULL, 1),
  (9, 'gpt-realtime', 'multimodal', true, 'max_completion_tokens', NULL, 2),
  (10, 'gpt-realtime-mini', 'multimodal', true, 'max_completion_tokens', NULL, 1)
) AS shipped (id, name, mode, takes_temperature, output_limit_field, reasoning_effort, fallback_model_id)`;
const SHIPPED_VOICES = 'id BETWEEN 1 AND 6 OR id BETWEEN 20 AND 48 OR id BETWEEN 70 AND 76';
const SHIPPED_PROVIDERS = `(VALUES
  (1, 'OpenAI', 'synthesizer', 'openai', 'gpt-4o-mini-tts', NULL, 'alloy'),
  (2, 'OpenAI', 'transcriber', 'openai', 'gpt-4o-mini-transcribe', NULL, NULL),
  (3, 'Deepgram', 'transcriber', 'deepgram', 'nova-3', 'deepgram', NULL)
) AS shipped (id, name, kind, adapter, code, endpoint, default_voice)`;
const NOT_RETIRED = `'{"retires_on": null, "replaced_by_id": null}'::jsonb`;
const NEW = `ADD COLUMN retires_on date, ADD COLUMN seeded jsonb`;
const WARNING = `ADD COLUMN facts jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN warning text CHECK (warning IN ('missing', 'retiring', 'retired'))`;

/** Models, voices and speech providers that end, and what the operator has changed of them. */
export class OwnedCatalogue20261126000900 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE language_models ${NEW}, ${WARNING},
        ADD COLUMN replaced_by_id int REFERENCES language_models,
        ADD COLUMN transcription_model text,
        DROP CONSTRAINT language_models_reasoning_effort_check,
        ADD CONSTRAINT language_models_reasoning_effort_check
          CHECK (reasoning_effort IN ('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'));
      ALTER TABLE voices ${NEW}, ADD COLUMN replaced_by_id int REFERENCES voices;
      ALTER TABLE speech_providers ${NEW}, ${WARNING}, ADD COLUMN replaced_by_id int REFERENCES speech_providers;
      UPDATE language_models model
         SET seeded = to_jsonb(shipped) - 'id' || ${NOT_RETIRED} || '{"code": null, "endpoint": null, "facts": {},
           "transcription_model": null}'
        FROM ${SHIPPED_MODELS} WHERE model.id = shipped.id;
      UPDATE voices
         SET seeded = to_jsonb(voices) - 'id' - 'seeded' || '{"preview_url": null}' WHERE ${SHIPPED_VOICES};
      UPDATE speech_providers provider
         SET seeded = to_jsonb(shipped) - 'id' || ${NOT_RETIRED} || '{"facts": {}}'
        FROM ${SHIPPED_PROVIDERS} WHERE provider.id = shipped.id;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      UPDATE language_models SET reasoning_effort = 'high' WHERE reasoning_effort IN ('xhigh', 'max');
      ALTER TABLE language_models
        DROP COLUMN retires_on, DROP COLUMN seeded, DROP COLUMN facts, DROP COLUMN warning,
        DROP COLUMN replaced_by_id, DROP COLUMN transcription_model,
        DROP CONSTRAINT language_models_reasoning_effort_check,
        ADD CONSTRAINT language_models_reasoning_effort_check
          CHECK (reasoning_effort IN ('none', 'minimal', 'low', 'medium', 'high'));
      ALTER TABLE voices DROP COLUMN retires_on, DROP COLUMN seeded, DROP COLUMN replaced_by_id;
      ALTER TABLE speech_providers
        DROP COLUMN retires_on, DROP COLUMN seeded, DROP COLUMN facts, DROP COLUMN warning, DROP COLUMN replaced_by_id;`);
  }
}
