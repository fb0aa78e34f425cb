-- Brings the next look at a campaign forward (ADR 26). The lock is campaignSleep of common/persistence/locks.ts: a
-- changed lead waits for a dialler that is about to let the campaign sleep.
CREATE OR REPLACE FUNCTION wake_campaign(campaign int, at timestamptz) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock_shared(4711004, campaign);
  -- One that is due already is being worked on, perhaps: this must not wait for its row.
  UPDATE campaigns SET wake_at = at
   WHERE id = campaign AND status = 'in-progress' AND NOT waits_for_slot AND wake_at > greatest(at, clock_timestamp())
$$;

-- Makes campaigns due that have waited for a slot.
CREATE OR REPLACE FUNCTION end_wait_for_slot(campaign_ids int[]) RETURNS void LANGUAGE sql AS $$
  UPDATE campaigns SET wake_at = now(), waits_for_slot = false WHERE id = ANY(campaign_ids)
$$;

-- A campaign that completed by itself within 30 days goes on; null: it did not. Reads the campaign as it is when this is
-- called: a statement that has waited for the dialler sees it as it was before.
CREATE OR REPLACE FUNCTION reopen_campaign(campaign int) RETURNS int LANGUAGE sql AS $$
  UPDATE campaigns SET status = 'in-progress', completed_at = NULL, updated_at = now()
   WHERE id = campaign AND status = 'completed' AND completed_at > now() - interval '30 days' RETURNING id
$$;
