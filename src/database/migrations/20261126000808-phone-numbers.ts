import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PhoneNumbers20261126000808 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE phone_number_prices (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        country char(2),
        price_micros bigint NOT NULL CHECK (price_micros >= 0),
        valid_from timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX phone_number_prices_country ON phone_number_prices (country, valid_from DESC);

      CREATE TABLE phone_numbers (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        phone_number text NOT NULL,
        nickname text,
        country_code char(2) NOT NULL,
        type text NOT NULL DEFAULT 'local',
        sms_capable boolean NOT NULL DEFAULT false,
        region text,
        subscription_expires_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        state text NOT NULL DEFAULT 'active' CHECK (state IN ('buying', 'active', 'releasing', 'released', 'failed')),
        carrier_sid text,
        price_micros bigint CHECK (price_micros >= 0),
        paid_months int NOT NULL DEFAULT 0 CHECK (paid_months >= 0),
        unpaid_since timestamptz,
        due_at timestamptz,
        request_id bigint UNIQUE,
        deleted_at timestamptz
      );
      CREATE INDEX phone_numbers_account ON phone_numbers (account_id, id);
      CREATE INDEX phone_numbers_account_due ON phone_numbers (account_id, due_at, id) WHERE due_at IS NOT NULL;
      CREATE UNIQUE INDEX phone_numbers_in_use ON phone_numbers (phone_number)
        WHERE state IN ('buying', 'active', 'releasing');

      INSERT INTO phone_number_prices (country, price_micros) VALUES (NULL, 2000000);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE phone_numbers, phone_number_prices CASCADE;
    `);
  }
}
