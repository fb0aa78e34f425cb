import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Scopes and the last use of tokens. The tokens that exist keep all scopes. See docs/adr/0018. */
export class ApiKeys20261122006000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE access_tokens
        ADD COLUMN scopes text[] NOT NULL DEFAULT '{read,calls,messages,write,admin}',
        ADD COLUMN last_used_at timestamptz,
        ADD CONSTRAINT access_tokens_scopes_check CHECK (
          scopes <@ ARRAY['read', 'calls', 'messages', 'write', 'admin'] AND cardinality(scopes) > 0)
    `);
  }

  /** The version before knows no scopes: a restricted token would open everything. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      UPDATE access_tokens SET revoked_at = now() WHERE revoked_at IS NULL AND NOT 'admin' = ANY (scopes);
      ALTER TABLE access_tokens DROP COLUMN scopes, DROP COLUMN last_used_at;
    `);
  }
}
