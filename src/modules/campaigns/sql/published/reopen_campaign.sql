-- Null: somebody else did, or stopped it.
CREATE OR REPLACE FUNCTION reopen_campaign(campaign int) RETURNS int LANGUAGE sql AS $$
  UPDATE campaigns SET status = 'in-progress', completed_at = NULL, updated_at = now()
   WHERE id = campaign AND status = 'completed' RETURNING id
$$;
