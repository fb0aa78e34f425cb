-- For triggers on calls: a recording begins with its URL, and is deleted with its call, its URL, or what was said in it.
CREATE OR REPLACE FUNCTION follow_recording() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' AND NEW.recording_url IS NOT NULL THEN
    INSERT INTO recordings (account_id, call_id, carrier_url)
    VALUES (NEW.account_id, NEW.id, NEW.recording_url) ON CONFLICT (call_id) DO NOTHING;
  END IF;
  IF TG_OP = 'DELETE' OR NEW.deleted_at IS NOT NULL OR NEW.erased_at IS NOT NULL OR NEW.recording_url IS NULL THEN
    -- Not before the lease of a process that is copying it ends.
    UPDATE recordings SET state = 'deleting', due_at = greatest(due_at, now())
     WHERE call_id = coalesce(NEW.id, OLD.id) AND state <> 'deleting';
  END IF;
  RETURN NULL;
END $$;
