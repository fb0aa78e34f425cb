import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Webhooks20261120000800 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE webhook_secrets (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        secret text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        retires_at timestamptz
      );
      CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (account_id) WHERE retires_at IS NULL;
      CREATE INDEX webhook_secrets_account ON webhook_secrets (account_id, id);

      -- receiver: account and host, the unit of fairness. round_attempts: since the last replay.
      -- claims: how often a worker claimed the row; a worker whose number is outdated has lost the claim.
      CREATE TABLE webhook_deliveries (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        event_key text NOT NULL,
        channel text NOT NULL CHECK (channel IN ('post-call', 'inbound')),
        event text NOT NULL,
        webhook_id text NOT NULL,
        call_id int,
        assistant_id int NOT NULL,
        test boolean NOT NULL DEFAULT false,
        url text NOT NULL,
        receiver text NOT NULL,
        body text NOT NULL,
        state text NOT NULL DEFAULT 'pending'
          CHECK (state IN ('pending', 'delivered', 'cancelled', 'dead')),
        reason text,
        attempts int NOT NULL DEFAULT 0,
        round_attempts int NOT NULL DEFAULT 0,
        claims int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        delivered_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (event_key, channel)
      );
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, id) WHERE state = 'pending';
      CREATE INDEX webhook_deliveries_assistant ON webhook_deliveries (assistant_id) WHERE state = 'pending';
      CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (account_id, created_at) WHERE state = 'dead';
      CREATE INDEX webhook_deliveries_account ON webhook_deliveries (account_id, created_at DESC, id DESC);
      CREATE INDEX webhook_deliveries_call ON webhook_deliveries (call_id);
      -- For the removal of old deliveries; small, and attempts do not change it.
      CREATE INDEX webhook_deliveries_age ON webhook_deliveries USING brin (created_at);

      CREATE TABLE webhook_attempts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        delivery_id int NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
        number int NOT NULL,
        url text NOT NULL,
        status_code int,
        response_body text,
        error text,
        duration_ms int NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, number);

      -- Since when all attempts of a channel have failed; a success deletes the row.
      CREATE TABLE webhook_failures (
        assistant_id int NOT NULL,
        channel text NOT NULL,
        url text NOT NULL,
        since timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (assistant_id, channel)
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE webhook_failures, webhook_attempts, webhook_deliveries, webhook_secrets');
  }
}
