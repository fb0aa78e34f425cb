import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits of what accounts and API keys spend in an hour. What was charged before the upgrade does not count. */
export class SpendLimits20261128150000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE spend_counters (
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        key_id int NOT NULL,
        limit_micros bigint CHECK (limit_micros >= 0),
        hour timestamptz,
        charged_micros bigint NOT NULL DEFAULT 0,
        held_micros bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (account_id, key_id)
      );
      CREATE TABLE spend_alerts (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        key_id int NOT NULL,
        hour timestamptz NOT NULL,
        limit_micros bigint NOT NULL,
        spent_micros bigint NOT NULL,
        recorded_at timestamptz,
        UNIQUE (account_id, key_id, hour, limit_micros)
      );
      ALTER TABLE calls ADD COLUMN api_key_id int;
      ALTER TABLE sms_messages ADD COLUMN api_key_id int;
      ALTER TABLE chat_turns ADD COLUMN api_key_id int;
      ALTER TABLE campaigns ADD COLUMN started_by_key_id int;
      -- Its result has a further column.
      DROP FUNCTION IF EXISTS pay_in_order(jsonb, text, boolean);
    `);
  }

  /** The files of the version before make its functions and its view again. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP VIEW IF EXISTS running_campaigns, spending;
      DROP FUNCTION IF EXISTS pay_in_order(jsonb, text, boolean), count_charges(jsonb), count_key_hold(int, int, numeric),
        note_spend_limits(int, int, bigint), limits_allow_call(int, int), publish_event(text, jsonb);
      CREATE OR REPLACE FUNCTION sum_holds() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          UPDATE accounts SET held_micros = held_micros - OLD.hold_micros WHERE id = OLD.account_id;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          UPDATE accounts SET held_micros = held_micros + NEW.hold_micros WHERE id = NEW.account_id;
        END IF;
        RETURN NULL;
      END $$;
      ALTER TABLE campaigns DROP COLUMN started_by_key_id;
      ALTER TABLE chat_turns DROP COLUMN api_key_id;
      ALTER TABLE sms_messages DROP COLUMN api_key_id;
      ALTER TABLE calls DROP COLUMN api_key_id;
      DROP TABLE spend_alerts, spend_counters;
    `);
  }
}
