-- Which calls an assistant reports.
CREATE OR REPLACE VIEW assistant_webhooks AS
  SELECT id AS assistant_id, send_webhook_only_on_completed FROM assistants;
