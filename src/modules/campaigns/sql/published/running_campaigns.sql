-- Campaigns that are dialled.
CREATE OR REPLACE VIEW running_campaigns AS
  SELECT id, account_id, max_calls_in_parallel, waits_for_slot, dialled_at, started_by_key_id FROM campaigns
   WHERE status = 'in-progress' AND deleted_at IS NULL;
