import type { MigrationInterface, QueryRunner } from 'typeorm';

const NOW = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;
/** Longest text and arguments in an event; the turns of the call have the rest. */
const LONGEST = 10_000;

/**
 * What happens in calls, for `GET /user/calls/events`. Written by triggers: every statement that changes a call or a
 * turn writes the event too, without a round trip of its own.
 */
export class LiveEvents20261122000700 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE SEQUENCE live_event_seq;
      -- Rows are kept for an hour; references would only lock the rows of accounts and calls.
      CREATE TABLE live_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL,
        call_id int NOT NULL,
        kind text NOT NULL CHECK (kind IN ('status', 'turn', 'tool', 'ended')),
        data json NOT NULL,
        -- Given after the commit, in the order in which readers see the events (docs/adr/0017).
        seq bigint,
        created_at timestamptz NOT NULL DEFAULT now()
      ) WITH (autovacuum_vacuum_scale_factor = 0.05);
      CREATE UNIQUE INDEX live_events_account_seq ON live_events (account_id, seq) WHERE seq IS NOT NULL;
      CREATE INDEX live_events_unnumbered ON live_events (account_id, id) WHERE seq IS NULL;
      CREATE INDEX live_events_call_id_idx ON live_events (call_id);`);
    await db.query(`
      CREATE FUNCTION tell_call() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO live_events (account_id, call_id, kind, data)
        VALUES (NEW.account_id, NEW.id, 'status', json_build_object('call_id', NEW.id, 'type', NEW.type,
          'status', NEW.status, 'answered_by', NEW.answered_by, 'ended_by', NEW.ended_by,
          'ended_reason', NEW.ended_reason, 'created_at', ${NOW}));
        IF NEW.status IN ('completed', 'busy', 'no-answer', 'failed') THEN
          INSERT INTO live_events (account_id, call_id, kind, data)
          VALUES (NEW.account_id, NEW.id, 'ended', json_build_object('call_id', NEW.id, 'status', NEW.status,
            'duration', NEW.duration, 'ended_by', NEW.ended_by, 'ended_reason', NEW.ended_reason,
            'total_cost', trim_scale(NEW.total_cost_micros / 1000000.0), 'created_at', ${NOW}));
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_tell_insert AFTER INSERT ON calls FOR EACH ROW
        WHEN (NEW.ended_at IS NULL) EXECUTE FUNCTION tell_call();
      CREATE TRIGGER calls_tell_update AFTER UPDATE OF status ON calls FOR EACH ROW
        WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION tell_call();

      CREATE FUNCTION tell_turn(turn call_turns, heard text, cut boolean) RETURNS void LANGUAGE sql AS $$
        INSERT INTO live_events (account_id, call_id, kind, data)
        SELECT account_id, id, 'turn', json_build_object('call_id', id, 'seq', turn.seq, 'role', turn.role,
          'text', left(heard, ${LONGEST}), 'interrupted', cut, 'created_at', ${NOW})
          FROM calls WHERE id = turn.call_id
      $$;
      CREATE FUNCTION tell_turn() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Nothing was heard of a turn that is deleted.
        IF TG_OP = 'DELETE' THEN PERFORM tell_turn(OLD, '', true);
        ELSE PERFORM tell_turn(NEW, NEW.text, NEW.interrupted);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER call_turns_tell AFTER INSERT OR DELETE ON call_turns FOR EACH ROW EXECUTE FUNCTION tell_turn();
      CREATE TRIGGER call_turns_tell_update AFTER UPDATE OF text, interrupted ON call_turns FOR EACH ROW
        WHEN (OLD.text <> NEW.text OR OLD.interrupted <> NEW.interrupted) EXECUTE FUNCTION tell_turn();

      CREATE FUNCTION tell_tool_run() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO live_events (account_id, call_id, kind, data)
        SELECT account_id, id, 'tool', json_build_object('call_id', id, 'seq', NEW.seq, 'name', NEW.tool_name,
          'arguments', CASE WHEN length(NEW.arguments::text) <= ${LONGEST} THEN NEW.arguments END,
          'status', CASE WHEN NEW.ok THEN 'ok' ELSE 'failed' END, 'status_code', NEW.status_code,
          'duration_ms', NEW.duration_ms, 'error', left(NEW.error, ${LONGEST}), 'created_at', ${NOW})
          FROM calls WHERE id = NEW.call_id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER call_tool_runs_tell AFTER INSERT ON call_tool_runs FOR EACH ROW
        EXECUTE FUNCTION tell_tool_run();`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER calls_tell_insert ON calls;
      DROP TRIGGER calls_tell_update ON calls;
      DROP TRIGGER call_turns_tell ON call_turns;
      DROP TRIGGER call_turns_tell_update ON call_turns;
      DROP TRIGGER call_tool_runs_tell ON call_tool_runs;
      DROP FUNCTION tell_call(), tell_turn(), tell_turn(call_turns, text, boolean), tell_tool_run();
      DROP TABLE live_events;
      DROP SEQUENCE live_event_seq;`);
  }
}
