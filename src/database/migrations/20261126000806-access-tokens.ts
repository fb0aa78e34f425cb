import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccessTokens20261126000806 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE access_tokens (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        name text NOT NULL,
        token_hash text NOT NULL UNIQUE,
        expires_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        scopes text[] NOT NULL DEFAULT '{read,calls,messages,write,admin}'
          CHECK ((scopes <@ ARRAY['read', 'calls', 'messages', 'write', 'admin']) AND (cardinality(scopes) > 0)),
        last_used_at timestamptz
      );
      CREATE INDEX access_tokens_account ON access_tokens (account_id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE access_tokens;
    `);
  }
}
