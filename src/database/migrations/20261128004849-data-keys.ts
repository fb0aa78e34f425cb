import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys of secrets, and text columns for encrypted ones. What these columns have is encrypted by the service after its
 * start.
 */
export class DataKeys20261128004849 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE data_keys (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int REFERENCES accounts ON DELETE CASCADE,
        wrapped text NOT NULL,
        wrapped_by text NOT NULL,
        retired_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX data_keys_current ON data_keys (account_id) NULLS NOT DISTINCT WHERE retired_at IS NULL;
      CREATE INDEX data_keys_account ON data_keys (account_id);
      ALTER TABLE tools ALTER COLUMN headers TYPE text USING headers::text;
      ALTER TABLE recording_keys ALTER COLUMN secret TYPE text USING encode(secret, 'base64');
    `);
  }

  /** @throws Error while a secret is encrypted: the version before cannot read it */
  async down(db: QueryRunner): Promise<void> {
    const [row] = (await db.query(`
      SELECT EXISTS (SELECT FROM tools WHERE headers LIKE 'v1.%')
          OR EXISTS (SELECT FROM recording_keys WHERE secret LIKE 'v1.%')
          OR EXISTS (SELECT FROM webhook_secrets WHERE secret LIKE 'v1.%') AS is_encrypted
    `)) as { is_encrypted: boolean }[];
    if (row?.is_encrypted)
      throw new Error(
        'Secrets are encrypted. Stop the service and decrypt them first: npm run cli -- keys decrypt',
      );
    await db.query(`
      ALTER TABLE recording_keys ALTER COLUMN secret TYPE bytea USING decode(secret, 'base64');
      ALTER TABLE tools ALTER COLUMN headers TYPE jsonb USING headers::jsonb;
      DROP TABLE data_keys;
    `);
  }
}
