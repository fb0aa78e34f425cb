import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sms20261120000900 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE sms_prices (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- ISO 3166-1 alpha-2; null is the default for every other destination.
        country char(2),
        price_micros bigint NOT NULL CHECK (price_micros >= 0),
        valid_from timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX sms_prices_country ON sms_prices (country, valid_from DESC);
      CREATE TABLE sms_messages (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        phone_number_id int NOT NULL,
        from_number text NOT NULL,
        to_number text NOT NULL,
        body text NOT NULL,
        segments int NOT NULL CHECK (segments > 0),
        segment_price_micros bigint NOT NULL,
        total_cost_micros bigint NOT NULL,
        status text NOT NULL DEFAULT 'pending'
          CHECK (status IN ('pending', 'sent', 'delivered', 'failed')),
        token text NOT NULL UNIQUE,
        -- The request with an Idempotency-Key; a retry after a crash finds the message by it.
        request_id bigint UNIQUE,
        sms_sid text UNIQUE,
        error text,
        -- When to ask the carrier for the state of a pending message.
        check_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX sms_messages_account ON sms_messages (account_id, created_at DESC, id DESC);
      CREATE INDEX sms_messages_recipient ON sms_messages (account_id, to_number, created_at DESC, id DESC);
      CREATE INDEX sms_messages_check ON sms_messages (check_at, id) WHERE status = 'pending';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE sms_messages, sms_prices');
  }
}
