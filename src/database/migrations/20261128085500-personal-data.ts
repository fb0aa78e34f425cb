import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erasure and export of one person's data, and suppressions that keep no number. */
export class PersonalData20261128085500 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE personal_data_jobs (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('erasure', 'export')),
        status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'running', 'done', 'failed')),
        phone_number text,
        number_hash text,
        masked_number text NOT NULL,
        keep_suppressed boolean NOT NULL DEFAULT false,
        counts jsonb NOT NULL DEFAULT '{}',
        waits_for text,
        error text,
        failures int NOT NULL DEFAULT 0,
        claims int NOT NULL DEFAULT 0,
        due_at timestamptz DEFAULT now(),
        expires_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz
      );
      CREATE INDEX personal_data_jobs_account ON personal_data_jobs (account_id, kind, created_at DESC, id DESC);
      CREATE INDEX personal_data_jobs_due ON personal_data_jobs (account_id, due_at, id) WHERE due_at IS NOT NULL;
      CREATE INDEX personal_data_jobs_number ON personal_data_jobs (account_id, number_hash)
        WHERE number_hash IS NOT NULL;

      CREATE TABLE number_hash_keys (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL UNIQUE REFERENCES accounts ON DELETE CASCADE,
        secret text NOT NULL
      );
      ALTER TABLE suppressions
        ALTER COLUMN phone_number DROP NOT NULL,
        ADD COLUMN number_hash text,
        ADD COLUMN while_erasing boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT suppressions_number_check CHECK ((phone_number IS NULL) <> (number_hash IS NULL)),
        ADD CONSTRAINT suppressions_account_id_number_hash_key UNIQUE (account_id, number_hash);
      ALTER TABLE calls ADD COLUMN erased_at timestamptz;
    `);
  }

  /** Suppressions without a number are lost: the version before knows none. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP VIEW IF EXISTS hashed_suppressions;
      ALTER TABLE calls DROP COLUMN erased_at;
      DELETE FROM suppressions WHERE phone_number IS NULL;
      ALTER TABLE suppressions
        DROP COLUMN number_hash,
        DROP COLUMN while_erasing,
        ALTER COLUMN phone_number SET NOT NULL;
      DROP TABLE number_hash_keys, personal_data_jobs;
    `);
  }
}
