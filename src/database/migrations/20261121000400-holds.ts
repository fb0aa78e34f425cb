import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Holds for running calls; see docs/adr/0012-holds-on-the-balance.md. */
export class Holds20261121000400 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE accounts ADD COLUMN held_micros bigint NOT NULL DEFAULT 0 CHECK (held_micros >= 0);
      -- A final record has no hold: code that does not release it fails.
      ALTER TABLE calls ADD COLUMN hold_micros bigint NOT NULL DEFAULT 0 CHECK (hold_micros >= 0),
        ADD CONSTRAINT calls_hold_released
          CHECK (hold_micros = 0 OR ended_at IS NULL OR wrap_up_state IS NOT DISTINCT FROM 'pending');
      -- Running calls of all types; they count against the plan.
      CREATE INDEX calls_running ON calls (account_id) WHERE ended_at IS NULL;

      -- The sum is stored on the account, so that a charge reads that row only.
      CREATE FUNCTION sum_holds() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          UPDATE accounts SET held_micros = held_micros - OLD.hold_micros WHERE id = OLD.account_id;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          UPDATE accounts SET held_micros = held_micros + NEW.hold_micros WHERE id = NEW.account_id;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_hold_insert AFTER INSERT ON calls FOR EACH ROW
        WHEN (NEW.hold_micros <> 0) EXECUTE FUNCTION sum_holds();
      CREATE TRIGGER calls_hold_update AFTER UPDATE OF hold_micros, account_id ON calls FOR EACH ROW
        WHEN (OLD.hold_micros <> NEW.hold_micros OR OLD.account_id <> NEW.account_id)
        EXECUTE FUNCTION sum_holds();
      CREATE TRIGGER calls_hold_delete AFTER DELETE ON calls FOR EACH ROW
        WHEN (OLD.hold_micros <> 0) EXECUTE FUNCTION sum_holds();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER calls_hold_insert ON calls;
      DROP TRIGGER calls_hold_update ON calls;
      DROP TRIGGER calls_hold_delete ON calls;
      DROP FUNCTION sum_holds;
      DROP INDEX calls_running;
      ALTER TABLE calls DROP CONSTRAINT calls_hold_released, DROP COLUMN hold_micros;
      ALTER TABLE accounts DROP COLUMN held_micros;
    `);
  }
}
