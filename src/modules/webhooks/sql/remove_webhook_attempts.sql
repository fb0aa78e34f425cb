-- In place of a foreign key, which would be checked for every attempt.
CREATE OR REPLACE FUNCTION remove_webhook_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM webhook_attempts USING gone WHERE delivery_id = gone.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER remove_attempts AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION remove_webhook_attempts();
