-- What calls show of their webhooks.
CREATE OR REPLACE FUNCTION set_webhook_responses(call_ids int[], responses jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_webhook_responses SELECT * FROM unnest(call_ids, responses)
    ON CONFLICT (call_id) DO UPDATE SET response = excluded.response;
END $$;
