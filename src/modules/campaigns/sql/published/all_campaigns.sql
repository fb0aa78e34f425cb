-- Also deleted campaigns, whose leads are removed in batches.
CREATE OR REPLACE VIEW all_campaigns AS
  SELECT id, account_id, name, max_retries, deleted_at, leads_removed_at FROM campaigns;
