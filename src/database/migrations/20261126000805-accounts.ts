import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Accounts20261126000805 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE plans (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        max_tools int NOT NULL,
        max_campaigns int NOT NULL,
        max_parallel_calls int NOT NULL,
        price_per_minute_micros bigint NOT NULL CHECK (price_per_minute_micros >= 0),
        max_assistants int NOT NULL DEFAULT 1000,
        max_leads_per_campaign int NOT NULL DEFAULT 1000000,
        price_per_message_micros bigint NOT NULL DEFAULT 10000 CHECK (price_per_message_micros >= 0),
        max_test_conversations_per_day int NOT NULL DEFAULT 100 CHECK (max_test_conversations_per_day >= 0)
      );

      CREATE TABLE accounts (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        email text NOT NULL UNIQUE,
        plan_id int NOT NULL REFERENCES plans,
        country char(2) NOT NULL,
        balance_micros bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        held_micros bigint NOT NULL DEFAULT 0 CHECK (held_micros >= 0),
        allowed_countries text[]
      );

      CREATE TABLE ledger_entries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('top-up', 'call', 'call-carrier', 'sms', 'sms-refund', 'sms-recharge',
          'phone-number', 'phone-number-refund', 'chat', 'chat-refund')),
        reference text NOT NULL,
        amount_micros bigint NOT NULL,
        balance_micros bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (kind, reference),
        CONSTRAINT ledger_entries_check CHECK (kind <> 'sms' OR balance_micros >= 0)
      );
      CREATE INDEX ledger_entries_account ON ledger_entries (account_id, id DESC);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE ledger_entries, accounts, plans CASCADE;
    `);
  }
}
