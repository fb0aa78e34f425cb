import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for reading due rows account by account; see docs/adr/0011-fair-shares.md. */
export class DueRowsByAccount20261121000300 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX calls_account_wrap_up ON calls (account_id, wrap_up_due_at, id) WHERE wrap_up_state = 'pending';
      CREATE INDEX calls_account_check ON calls (account_id, check_at, id) WHERE check_at IS NOT NULL;
      CREATE INDEX calls_account_price_check ON calls (account_id, price_check_at, id)
        WHERE price_check_at IS NOT NULL;
      CREATE INDEX sms_messages_account_check ON sms_messages (account_id, check_at, id) WHERE status = 'pending';
      CREATE INDEX webhook_deliveries_receiver_due ON webhook_deliveries (account_id, receiver, due_at, id)
        WHERE state = 'pending';
      DROP INDEX calls_wrap_up, calls_check, calls_price_check, sms_messages_check, webhook_deliveries_due;

      -- Events of an older version have no account; they count as those of account 0.
      ALTER TABLE domain_events
        ADD account_id int GENERATED ALWAYS AS (COALESCE((payload->>'accountId')::int, 0)) STORED;
      CREATE INDEX domain_events_account_due ON domain_events (account_id, due_at, id) WHERE state = 'pending';
      DROP INDEX domain_events_due;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX domain_events_due ON domain_events (due_at, id) WHERE state = 'pending';
      ALTER TABLE domain_events DROP COLUMN account_id;
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, id) WHERE state = 'pending';
      CREATE INDEX sms_messages_check ON sms_messages (check_at, id) WHERE status = 'pending';
      CREATE INDEX calls_price_check ON calls (price_check_at, id) WHERE price_check_at IS NOT NULL;
      CREATE INDEX calls_check ON calls (check_at, id) WHERE check_at IS NOT NULL;
      CREATE INDEX calls_wrap_up ON calls (wrap_up_due_at, id) WHERE wrap_up_state = 'pending';
      DROP INDEX webhook_deliveries_receiver_due, sms_messages_account_check, calls_account_price_check,
        calls_account_check, calls_account_wrap_up;
    `);
  }
}
