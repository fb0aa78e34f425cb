import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Accounts20261120000100 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- Prefix of the queue's keys: separates installations that share a Redis.
      CREATE TABLE installation (id uuid NOT NULL);
      INSERT INTO installation VALUES (gen_random_uuid());

      CREATE TABLE plans (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        max_tools int NOT NULL,
        max_campaigns int NOT NULL,
        max_parallel_calls int NOT NULL,
        price_per_minute_micros bigint NOT NULL CHECK (price_per_minute_micros >= 0)
      );
      CREATE TABLE accounts (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        email text NOT NULL UNIQUE,
        plan_id int NOT NULL REFERENCES plans,
        country char(2) NOT NULL,
        balance_micros bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE ledger_entries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        kind text NOT NULL
          CHECK (kind IN ('top-up', 'call', 'call-carrier', 'sms', 'sms-refund', 'sms-recharge')),
        reference text NOT NULL,
        amount_micros bigint NOT NULL,
        -- The account's balance after this entry; a message is only sent when the balance covers it.
        balance_micros bigint NOT NULL CHECK (kind <> 'sms' OR balance_micros >= 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (kind, reference)
      );
      CREATE INDEX ledger_entries_account ON ledger_entries (account_id, id DESC);
      CREATE TABLE access_tokens (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        name text NOT NULL,
        token_hash text NOT NULL UNIQUE,
        expires_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX access_tokens_account ON access_tokens (account_id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE access_tokens, ledger_entries, accounts, plans, installation');
  }
}
