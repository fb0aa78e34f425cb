-- For the trigger on calls: a finished attempt has the number as its call has it.
CREATE OR REPLACE FUNCTION mask_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE call_attempts SET phone_number = NEW.client_phone_number WHERE call_id = NEW.id AND state = 'closed';
  RETURN NULL;
END $$;
