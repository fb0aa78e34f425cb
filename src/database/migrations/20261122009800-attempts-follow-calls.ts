import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A call's attempt is placed and closed in the statement that changes the call: its slot is free when the call is over.
 * Holds of calls that are inserted together change their account once.
 */
export class AttemptsFollowCalls20261122009800 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION follow_call() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE call_attempts
           SET state = CASE WHEN NEW.ended_at IS NULL THEN 'placed' ELSE 'closed' END,
               closed_at = CASE WHEN NEW.ended_at IS NOT NULL THEN now() END
         WHERE call_id = NEW.id AND state <> 'closed';
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_attempt AFTER UPDATE OF carrier_sid, ended_at ON calls FOR EACH ROW
        WHEN (NEW.type = 'outbound' AND ((OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
          OR (OLD.carrier_sid IS NULL AND NEW.carrier_sid IS NOT NULL)))
        EXECUTE FUNCTION follow_call();
      -- After the trigger is created: its lock excludes writers until the commit.
      UPDATE call_attempts SET state = 'closed', closed_at = now() FROM calls
       WHERE calls.id = call_id AND ended_at IS NOT NULL AND state <> 'closed';

      CREATE FUNCTION sum_new_holds() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE accounts SET held_micros = held_micros + added_holds.micros
          FROM (SELECT account_id, sum(hold_micros) AS micros FROM added WHERE hold_micros <> 0 GROUP BY 1) added_holds
         WHERE accounts.id = added_holds.account_id;
        RETURN NULL;
      END $$;
      DROP TRIGGER calls_hold_insert ON calls;
      CREATE TRIGGER calls_hold_insert AFTER INSERT ON calls REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION sum_new_holds();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER calls_hold_insert ON calls;
      DROP FUNCTION sum_new_holds;
      CREATE TRIGGER calls_hold_insert AFTER INSERT ON calls FOR EACH ROW
        WHEN (NEW.hold_micros <> 0) EXECUTE FUNCTION sum_holds();
      DROP TRIGGER calls_attempt ON calls;
      DROP FUNCTION follow_call;
    `);
  }
}
