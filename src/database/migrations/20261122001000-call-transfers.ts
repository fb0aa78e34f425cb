import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = `'status', 'turn', 'tool', 'ended'`;

const kinds = (names: string): string => `
  ALTER TABLE live_events DROP CONSTRAINT live_events_kind_check;
  ALTER TABLE live_events ADD CONSTRAINT live_events_kind_check CHECK (kind IN (${names}));`;

/** The people that a call was handed over to; a change is told to those who watch the call. */
export class CallTransfers20261122001000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE calls ADD COLUMN transfers jsonb NOT NULL DEFAULT '[]';
      CREATE INDEX calls_transferred ON calls (campaign_id) WHERE transfers <> '[]'::jsonb;
      ${kinds(`${KINDS}, 'transfer'`)}
      CREATE FUNCTION tell_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE last jsonb := NEW.transfers -> -1;
      BEGIN
        INSERT INTO live_events (account_id, call_id, kind, data)
        VALUES (NEW.account_id, NEW.id, 'transfer', json_build_object('call_id', NEW.id, 'seq', last -> 'seq',
          'name', last -> 'name', 'to', last -> 'to', 'status', last -> 'status',
          'created_at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')));
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_tell_transfer AFTER UPDATE OF transfers ON calls FOR EACH ROW
        WHEN (OLD.transfers <> NEW.transfers) EXECUTE FUNCTION tell_transfer();`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER calls_tell_transfer ON calls;
      DROP FUNCTION tell_transfer();
      DELETE FROM live_events WHERE kind = 'transfer';
      ${kinds(KINDS)}
      DROP INDEX calls_transferred;
      ALTER TABLE calls DROP COLUMN transfers;`);
  }
}
