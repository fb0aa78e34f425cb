import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Without a reference to accounts: entries stay when an account goes, and its row is not locked by each entry. */
export class AuditLog20261128042211 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE audit_entries (
        account_id int NOT NULL,
        seq int NOT NULL,
        created_at timestamptz NOT NULL,
        actor_type text NOT NULL,
        actor_id int,
        actor_name text,
        address text,
        request_id text,
        action text NOT NULL,
        resource_id text,
        fields text[] NOT NULL,
        details jsonb NOT NULL,
        previous_hash text NOT NULL,
        hash text NOT NULL,
        PRIMARY KEY (account_id, seq)
      );
      CREATE INDEX audit_entries_resource ON audit_entries (account_id, resource_id, seq);
      CREATE INDEX audit_entries_time ON audit_entries (account_id, created_at);
      CREATE TABLE audit_heads (
        account_id int PRIMARY KEY,
        seq int NOT NULL,
        hash text NOT NULL
      ) WITH (fillfactor = 50);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE audit_heads, audit_entries;
      DROP FUNCTION IF EXISTS append_audit_entries(int[], text[]), keep_audit_entries(), keep_audit_heads();
    `);
  }
}
