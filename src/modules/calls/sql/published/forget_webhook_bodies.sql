-- Removes what receivers answered from what calls show of their webhooks.
CREATE OR REPLACE FUNCTION forget_webhook_bodies(call_ids int[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE call_webhook_responses SET response = response || '{"body": null}'
   WHERE call_id = ANY(call_ids) AND response ->> 'body' IS NOT NULL;
END $$;
