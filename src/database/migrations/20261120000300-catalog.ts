import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Catalog20261120000300 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE languages (
        id int PRIMARY KEY,
        name text NOT NULL UNIQUE,
        iso_2 char(2) NOT NULL,
        tag text NOT NULL
      );
      CREATE TABLE language_models (
        id int PRIMARY KEY,
        name text NOT NULL UNIQUE,
        mode text NOT NULL CHECK (mode IN ('pipeline', 'multimodal'))
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
    await db.query('DROP TABLE voices, language_models, languages');
  }
}
