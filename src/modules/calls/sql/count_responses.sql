-- Once, when a call gets its last status.
CREATE OR REPLACE FUNCTION count_responses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.response_counts := CASE WHEN NEW.answered_at IS NULL THEN '{}'::int[] ELSE call_response_counts(NEW.id) END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER calls_count_responses BEFORE INSERT OR UPDATE OF status ON calls FOR EACH ROW
  WHEN (NEW.response_counts IS NULL AND NEW.status IN ('completed', 'busy', 'no-answer', 'failed'))
  EXECUTE FUNCTION count_responses();
