-- Campaigns that are not deleted. reopens: it completed by itself not long ago, and starts again with a new lead.
CREATE OR REPLACE VIEW live_campaigns AS
  SELECT id, account_id, name,
         status = 'completed' AND coalesce(completed_at > now() - interval '30 days', false) AS reopens
    FROM campaigns WHERE deleted_at IS NULL;
