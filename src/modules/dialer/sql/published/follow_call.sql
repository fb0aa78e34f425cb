-- For the trigger on calls: the attempt, and with it its slot, follows the call.
CREATE OR REPLACE FUNCTION follow_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE call_attempts
     SET state = CASE WHEN NEW.ended_at IS NULL THEN 'placed' ELSE 'closed' END,
         closed_at = CASE WHEN NEW.ended_at IS NOT NULL THEN now() END
   WHERE call_id = NEW.id AND state <> 'closed';
  RETURN NULL;
END $$;
