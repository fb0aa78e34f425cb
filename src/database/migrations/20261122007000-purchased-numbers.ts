import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = ['top-up', 'call', 'call-carrier', 'sms', 'sms-refund', 'sms-recharge'];

/** Also for an undo: entries of kinds that the older version does not know stay as they are. */
const setKinds = (db: QueryRunner, kinds: string[]): Promise<unknown> =>
  db.query(
    `ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind_check,
       ADD CONSTRAINT ledger_entries_kind_check CHECK (kind IN (${kinds.map((kind) => `'${kind}'`).join()})) NOT VALID`,
  );

/** Numbers that users buy, pay by the month and give back; see docs/adr/0022-purchased-numbers.md. */
export class PurchasedNumbers20261122007000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await setKinds(db, [...KINDS, 'phone-number', 'phone-number-refund']);
    await db.query('ALTER TABLE ledger_entries VALIDATE CONSTRAINT ledger_entries_kind_check');
    await db.query(`
      CREATE TABLE phone_number_prices (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- ISO 3166-1 alpha-2; null is the default for every other country.
        country char(2),
        price_micros bigint NOT NULL CHECK (price_micros >= 0),
        valid_from timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX phone_number_prices_country ON phone_number_prices (country, valid_from DESC);
      INSERT INTO phone_number_prices (country, price_micros) VALUES (NULL, 2000000);

      -- Numbers of today have no price: they are neither billed nor renewed.
      ALTER TABLE phone_numbers
        ADD COLUMN state text NOT NULL DEFAULT 'active'
          CHECK (state IN ('buying', 'active', 'releasing', 'released', 'failed')),
        ADD COLUMN carrier_sid text,
        ADD COLUMN price_micros bigint CHECK (price_micros >= 0),
        ADD COLUMN paid_months int NOT NULL DEFAULT 0 CHECK (paid_months >= 0),
        ADD COLUMN unpaid_since timestamptz,
        ADD COLUMN due_at timestamptz,
        ADD COLUMN request_id bigint UNIQUE,
        ADD COLUMN deleted_at timestamptz,
        DROP CONSTRAINT phone_numbers_phone_number_key;
      -- Of the purchases of one number at a time only one can be written.
      CREATE UNIQUE INDEX phone_numbers_in_use ON phone_numbers (phone_number)
        WHERE state IN ('buying', 'active', 'releasing');
      CREATE INDEX phone_numbers_account_due ON phone_numbers (account_id, due_at, id) WHERE due_at IS NOT NULL;
    `);
  }

  /** Numbers that the older version cannot tell from active ones are removed; their entries stay in the ledger. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DELETE FROM phone_numbers WHERE state <> 'active';
      DROP INDEX phone_numbers_account_due, phone_numbers_in_use;
      ALTER TABLE phone_numbers
        DROP COLUMN state, DROP COLUMN carrier_sid, DROP COLUMN price_micros, DROP COLUMN paid_months,
        DROP COLUMN unpaid_since, DROP COLUMN due_at, DROP COLUMN request_id, DROP COLUMN deleted_at,
        ADD CONSTRAINT phone_numbers_phone_number_key UNIQUE (phone_number);
      DROP TABLE phone_number_prices;
    `);
    await setKinds(db, KINDS);
  }
}
