-- Events of calls for clients that watch them (docs/build/adr/0017). Texts are cut at 10,000 characters.
CREATE OR REPLACE FUNCTION tell_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO live_events (account_id, call_id, campaign_id, kind, data)
  VALUES (NEW.account_id, NEW.id, NEW.campaign_id, 'status', json_build_object('call_id', NEW.id, 'type', NEW.type,
    'status', NEW.status, 'answered_by', NEW.answered_by, 'ended_by', NEW.ended_by,
    'ended_reason', NEW.ended_reason, 'created_at', event_time()));
  IF NEW.status IN ('completed', 'busy', 'no-answer', 'failed') THEN
    INSERT INTO live_events (account_id, call_id, campaign_id, kind, data)
    VALUES (NEW.account_id, NEW.id, NEW.campaign_id, 'ended', json_build_object('call_id', NEW.id,
      'status', NEW.status, 'duration', NEW.duration, 'ended_by', NEW.ended_by, 'ended_reason', NEW.ended_reason,
      'total_cost', trim_scale(NEW.total_cost_micros / 1000000.0), 'created_at', event_time()));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calls_tell_insert AFTER INSERT ON calls FOR EACH ROW
  WHEN (NEW.ended_at IS NULL) EXECUTE FUNCTION tell_call();
CREATE OR REPLACE TRIGGER calls_tell_update AFTER UPDATE OF status ON calls FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION tell_call();

CREATE OR REPLACE FUNCTION tell_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE last jsonb := NEW.transfers -> -1;
BEGIN
  INSERT INTO live_events (account_id, call_id, kind, data)
  VALUES (NEW.account_id, NEW.id, 'transfer', json_build_object('call_id', NEW.id, 'seq', last -> 'seq',
    'name', last -> 'name', 'to', last -> 'to', 'status', last -> 'status', 'created_at', event_time()));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calls_tell_transfer AFTER UPDATE OF transfers ON calls FOR EACH ROW
  WHEN (OLD.transfers <> NEW.transfers) EXECUTE FUNCTION tell_transfer();

CREATE OR REPLACE FUNCTION tell_turn(turn call_turns, heard text, cut boolean) RETURNS void LANGUAGE sql AS $$
  INSERT INTO live_events (account_id, call_id, kind, data)
  SELECT account_id, id, 'turn', json_build_object('call_id', id, 'seq', turn.seq, 'role', turn.role,
    'kind', turn.kind, 'text', left(heard, 10000), 'interrupted', cut, 'created_at', event_time())
    FROM calls WHERE id = turn.call_id
$$;

CREATE OR REPLACE FUNCTION tell_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Nothing was heard of a turn that is deleted.
  IF TG_OP = 'DELETE' THEN PERFORM tell_turn(OLD, '', true);
  ELSE PERFORM tell_turn(NEW, NEW.text, NEW.interrupted);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER call_turns_tell AFTER INSERT OR DELETE ON call_turns FOR EACH ROW
  EXECUTE FUNCTION tell_turn();
-- An empty text is a removed one.
CREATE OR REPLACE TRIGGER call_turns_tell_update AFTER UPDATE OF text, interrupted ON call_turns FOR EACH ROW
  WHEN (NEW.text <> '' AND (OLD.text <> NEW.text OR OLD.interrupted <> NEW.interrupted)) EXECUTE FUNCTION tell_turn();

CREATE OR REPLACE FUNCTION tell_tool_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO live_events (account_id, call_id, kind, data)
  SELECT account_id, id, 'tool', json_build_object('call_id', id, 'seq', NEW.seq, 'name', NEW.tool_name,
    'arguments', CASE WHEN length(NEW.arguments::text) <= 10000 THEN NEW.arguments END,
    'status', CASE WHEN NEW.ok THEN 'ok' ELSE 'failed' END, 'status_code', NEW.status_code,
    'duration_ms', NEW.duration_ms, 'error', left(NEW.error, 10000), 'created_at', event_time())
    FROM calls WHERE id = NEW.call_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER call_tool_runs_tell AFTER INSERT ON call_tool_runs FOR EACH ROW
  EXECUTE FUNCTION tell_tool_run();

CREATE OR REPLACE FUNCTION event_time() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')
$$;
