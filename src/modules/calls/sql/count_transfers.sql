-- Counts the transfers of a campaign's calls by status (docs/build/adr/0027).
CREATE OR REPLACE FUNCTION count_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_result_counts AS c (campaign_id, kind, name, part, n)
  SELECT NEW.campaign_id, 'transfer', name, counting_part(NEW.campaign_id), sum(one) FROM (
    SELECT t ->> 'status' AS name, -1 AS one FROM jsonb_array_elements(OLD.transfers) t WHERE OLD.deleted_at IS NULL
    UNION ALL
    SELECT t ->> 'status', 1 FROM jsonb_array_elements(NEW.transfers) t WHERE NEW.deleted_at IS NULL) change
   GROUP BY name HAVING sum(one) <> 0
  ON CONFLICT (campaign_id, kind, name, part) DO UPDATE SET n = c.n + excluded.n;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calls_count_transfers AFTER UPDATE OF transfers, deleted_at ON calls FOR EACH ROW
  WHEN (NEW.campaign_id IS NOT NULL
        AND (OLD.transfers <> NEW.transfers OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at))
  EXECUTE FUNCTION count_transfers();
