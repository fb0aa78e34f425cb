-- Counts the calls of a campaign in which the assistant did something (docs/build/adr/0027).
CREATE OR REPLACE FUNCTION count_action() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A call counts once, however often its assistant did it.
  INSERT INTO call_result_counts AS c (campaign_id, kind, name, part, n)
  SELECT campaign_id, 'action', NEW.tool_name, counting_part(campaign_id), 1 FROM calls
   WHERE id = NEW.call_id AND campaign_id IS NOT NULL AND deleted_at IS NULL
     AND NOT EXISTS (SELECT FROM call_tool_runs run WHERE run.call_id = NEW.call_id
           AND run.tool_name = NEW.tool_name AND run.id < NEW.id AND is_action(run))
  ON CONFLICT (campaign_id, kind, name, part) DO UPDATE SET n = c.n + excluded.n;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER call_tool_runs_count AFTER INSERT ON call_tool_runs FOR EACH ROW
  WHEN (is_action(NEW)) EXECUTE FUNCTION count_action();

CREATE OR REPLACE FUNCTION count_actions_of_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_result_counts AS c (campaign_id, kind, name, part, n)
  SELECT DISTINCT NEW.campaign_id, 'action', run.tool_name, counting_part(NEW.campaign_id),
         CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END
    FROM call_tool_runs run WHERE run.call_id = NEW.id AND is_action(run)
  ON CONFLICT (campaign_id, kind, name, part) DO UPDATE SET n = c.n + excluded.n;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calls_count_actions AFTER UPDATE OF deleted_at ON calls FOR EACH ROW
  WHEN (NEW.campaign_id IS NOT NULL AND (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
  EXECUTE FUNCTION count_actions_of_call();
