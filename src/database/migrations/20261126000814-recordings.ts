import { randomBytes } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Recordings20261126000814 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE recordings (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL,
        call_id int NOT NULL UNIQUE,
        carrier_url text NOT NULL,
        state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'copied', 'kept', 'deleting')),
        storage text NOT NULL DEFAULT 'carrier' CHECK (storage IN ('carrier', 'folder', 's3')),
        object_key text,
        bytes bigint,
        content_type text,
        due_at timestamptz NOT NULL DEFAULT now(),
        attempts int NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX recordings_account_due ON recordings (account_id, due_at, id) WHERE state <> 'kept';

      CREATE TABLE recording_keys (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        secret bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
    `);
    await db.query('INSERT INTO recording_keys (secret) VALUES ($1)', [randomBytes(32)]);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE recording_keys, recordings;
    `);
  }
}
