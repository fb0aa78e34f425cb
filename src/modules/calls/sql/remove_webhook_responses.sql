-- In place of a foreign key, which would be checked for every response.
CREATE OR REPLACE FUNCTION remove_webhook_responses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM call_webhook_responses USING gone WHERE call_id = gone.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calls_remove_responses AFTER DELETE ON calls REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION remove_webhook_responses();
