import type { MigrationInterface, QueryRunner } from 'typeorm';
import { compressWithLz4 } from '../compress-with-lz4.js';

export class Webhooks20261126000818 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE webhook_attempts (
        delivery_id int NOT NULL,
        number int NOT NULL,
        url text NOT NULL,
        status_code int,
        response_body text,
        error text,
        duration_ms int NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (delivery_id, number)
      );

      CREATE TABLE webhook_deliveries (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        event_key text NOT NULL,
        channel text NOT NULL CHECK (channel IN ('post-call', 'inbound', 'conversation')),
        event text NOT NULL,
        webhook_id text NOT NULL,
        call_id int,
        assistant_id int NOT NULL,
        test boolean NOT NULL DEFAULT false,
        url text NOT NULL,
        receiver text NOT NULL,
        body text NOT NULL,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'cancelled', 'dead')),
        reason text,
        attempts int NOT NULL DEFAULT 0,
        round_attempts int NOT NULL DEFAULT 0,
        claims int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        delivered_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (event_key, channel)
      );
      CREATE INDEX webhook_deliveries_account ON webhook_deliveries (account_id, created_at DESC, id DESC);
      CREATE INDEX webhook_deliveries_age ON webhook_deliveries USING brin (created_at);
      CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (account_id, created_at) WHERE state = 'dead';
      CREATE INDEX webhook_deliveries_receiver_due ON webhook_deliveries (account_id, receiver, due_at, id)
        WHERE state = 'pending';

      CREATE TABLE webhook_failures (
        assistant_id int NOT NULL,
        channel text NOT NULL,
        url text NOT NULL,
        since timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (assistant_id, channel)
      );

      CREATE TABLE webhook_secrets (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        secret text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        retires_at timestamptz
      );
      CREATE INDEX webhook_secrets_account ON webhook_secrets (account_id, id);
      CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (account_id) WHERE retires_at IS NULL;
    `);
    if (!(await compressWithLz4(db, 'webhook_deliveries', 'body')))
      await db.query('ALTER TABLE webhook_deliveries ALTER COLUMN body SET STORAGE EXTERNAL');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE webhook_secrets, webhook_failures, webhook_deliveries, webhook_attempts;
    `);
  }
}
