-- Counts calls by status (docs/build/adr/0008). A job adds the rows up.
CREATE OR REPLACE FUNCTION tally_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.deleted_at IS NULL THEN
      INSERT INTO call_tallies VALUES (OLD.account_id, OLD.created_at::date, OLD.assistant_id,
        OLD.campaign_id, OLD.type, OLD.status, -1);
    END IF;
  END IF;
  IF NEW.deleted_at IS NULL THEN
    INSERT INTO call_tallies VALUES (NEW.account_id, NEW.created_at::date, NEW.assistant_id,
      NEW.campaign_id, NEW.type, NEW.status, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calls_tally_insert AFTER INSERT ON calls FOR EACH ROW EXECUTE FUNCTION tally_call();
CREATE OR REPLACE TRIGGER calls_tally_update AFTER UPDATE OF status, deleted_at ON calls FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION tally_call();
