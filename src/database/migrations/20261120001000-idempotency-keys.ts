import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IdempotencyKeys20261120001000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE idempotency_keys (
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        key text NOT NULL,
        -- Identifies the logical request; a retry that takes over from a dead process keeps it.
        request_id bigint GENERATED ALWAYS AS IDENTITY,
        request_hash text NOT NULL,
        -- Null while the request is in flight.
        status_code int,
        body text,
        -- Identifies the holder of the lease, which renews it during the work.
        lock uuid NOT NULL,
        locked_until timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account_id, key)
      );
      CREATE UNIQUE INDEX idempotency_keys_lock ON idempotency_keys (lock);
      CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE idempotency_keys');
  }
}
