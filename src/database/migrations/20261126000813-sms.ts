import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sms20261126000813 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
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
        status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'delivered', 'failed')),
        token text NOT NULL UNIQUE,
        request_id bigint,
        sms_sid text,
        error text,
        check_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 75);
      CREATE INDEX sms_messages_account ON sms_messages (account_id, created_at DESC, id DESC);
      CREATE INDEX sms_messages_account_check ON sms_messages (account_id, check_at, id) WHERE check_at IS NOT NULL;
      CREATE INDEX sms_messages_recipient ON sms_messages (account_id, to_number, created_at DESC, id DESC);
      CREATE UNIQUE INDEX sms_messages_request_id ON sms_messages (request_id) WHERE request_id IS NOT NULL;
      CREATE UNIQUE INDEX sms_messages_sms_sid ON sms_messages (sms_sid) WHERE sms_sid IS NOT NULL;

      CREATE TABLE sms_prices (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        country char(2),
        price_micros bigint NOT NULL CHECK (price_micros >= 0),
        valid_from timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX sms_prices_country ON sms_prices (country, valid_from DESC);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE sms_prices, sms_messages;
    `);
  }
}
