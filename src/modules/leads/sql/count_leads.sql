-- Counts main leads by status, and by status and day (docs/build/adr/0027).
CREATE OR REPLACE FUNCTION count_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_to_lead_counts(jsonb_agg(to_jsonb(change))) FROM (
      SELECT campaign_id, (created_at AT TIME ZONE 'UTC')::date AS day, status, count(*) AS n
        FROM added WHERE main_lead_id IS NULL GROUP BY 1, 2, 3) change;
  ELSIF TG_OP = 'UPDATE' THEN
    PERFORM add_to_lead_counts(jsonb_agg(to_jsonb(change))) FROM (
      SELECT campaign_id, (created_at AT TIME ZONE 'UTC')::date AS day, status, sum(one) AS n FROM (
        SELECT campaign_id, created_at, status, -1 AS one FROM removed WHERE main_lead_id IS NULL
        UNION ALL SELECT campaign_id, created_at, status, 1 FROM added WHERE main_lead_id IS NULL) lead
       GROUP BY 1, 2, 3 HAVING sum(one) <> 0) change;
  ELSE
    -- A campaign that is deleted for good takes its counts with it.
    PERFORM add_to_lead_counts(jsonb_agg(to_jsonb(change))) FROM (
      SELECT campaign_id, (created_at AT TIME ZONE 'UTC')::date AS day, status, -count(*) AS n FROM removed
       WHERE main_lead_id IS NULL AND campaign_id IN (SELECT id FROM all_campaigns) GROUP BY 1, 2, 3) change;
  END IF;
  RETURN NULL;
END $$;

-- changes: an array of {campaign_id, day, status, n}; null: none.
CREATE OR REPLACE FUNCTION add_to_lead_counts(changes jsonb) RETURNS void LANGUAGE sql AS $$
  WITH change AS MATERIALIZED (
    SELECT campaign_id, counting_part(campaign_id) AS part, day, status, n
      FROM jsonb_to_recordset(changes) AS change (campaign_id int, day date, status text, n int)),
  by_day AS (
    INSERT INTO lead_day_counts AS c (campaign_id, day, part, status, n)
    SELECT campaign_id, day, part, status, n FROM change
    ON CONFLICT (campaign_id, day, part, status) DO UPDATE SET n = c.n + excluded.n)
  INSERT INTO lead_counts AS c (campaign_id, part, status, n)
  SELECT campaign_id, part, status, sum(n) FROM change GROUP BY 1, 2, 3
  ON CONFLICT (campaign_id, part, status) DO UPDATE SET n = c.n + excluded.n
$$;

CREATE OR REPLACE TRIGGER leads_inserted AFTER INSERT ON leads REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_leads();
CREATE OR REPLACE TRIGGER leads_updated AFTER UPDATE ON leads REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_leads();
CREATE OR REPLACE TRIGGER leads_deleted AFTER DELETE ON leads REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_leads();
