import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IdempotencyKeys20261126000807 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE idempotency_keys (
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        key text NOT NULL,
        request_id bigint GENERATED ALWAYS AS IDENTITY,
        request_hash text NOT NULL,
        status_code int,
        body text,
        lock uuid NOT NULL,
        locked_until timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        made_id int,
        PRIMARY KEY (account_id, key)
      );
      CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
      CREATE UNIQUE INDEX idempotency_keys_lock ON idempotency_keys (lock);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE idempotency_keys;
    `);
  }
}
