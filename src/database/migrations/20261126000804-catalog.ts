import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Catalog20261126000804 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE language_models (
        id int PRIMARY KEY,
        name text NOT NULL UNIQUE,
        mode text NOT NULL CHECK (mode IN ('pipeline', 'multimodal')),
        code text,
        endpoint text,
        takes_temperature boolean NOT NULL DEFAULT true,
        output_limit_field text NOT NULL DEFAULT 'max_tokens'
          CHECK (output_limit_field IN ('max_tokens', 'max_completion_tokens')),
        reasoning_effort text CHECK (reasoning_effort IN ('none', 'minimal', 'low', 'medium', 'high')),
        fallback_model_id int REFERENCES language_models
      );

      CREATE TABLE languages (
        id int PRIMARY KEY,
        name text NOT NULL UNIQUE,
        iso_2 char(2) NOT NULL,
        tag text NOT NULL
      );

      CREATE TABLE speech_providers (
        id int PRIMARY KEY,
        name text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('synthesizer', 'transcriber')),
        adapter text NOT NULL CHECK (adapter IN ('openai', 'deepgram')),
        code text NOT NULL,
        endpoint text,
        default_voice text
      );

      CREATE TABLE voices (
        id int PRIMARY KEY,
        name text NOT NULL,
        mode text NOT NULL CHECK (mode IN ('pipeline', 'multimodal')),
        language_id int REFERENCES languages,
        gender text NOT NULL,
        accent text,
        preview_url text,
        provider text NOT NULL,
        provider_voice text NOT NULL
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE voices, speech_providers, languages, language_models;
    `);
  }
}
