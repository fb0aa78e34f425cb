-- A campaign looks at its leads when one is added, or is due earlier than before.
CREATE OR REPLACE FUNCTION wake_for_new_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM wake_campaign(campaign_id, now())
     FROM (SELECT DISTINCT campaign_id FROM added WHERE main_lead_id IS NULL) AS campaigns_of_leads;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER leads_wake_added AFTER INSERT ON leads REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION wake_for_new_leads();

CREATE OR REPLACE FUNCTION wake_for_changed_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM wake_campaign(NEW.campaign_id,
    CASE WHEN NEW.status IN ('created', 'scheduled', 'rescheduled') THEN greatest(NEW.due_at, now()) ELSE now() END);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER leads_wake_changed AFTER UPDATE ON leads FOR EACH ROW
  WHEN (NEW.main_lead_id IS NULL AND NEW.status <> 'processing'
        AND (OLD.status <> NEW.status OR OLD.campaign_id <> NEW.campaign_id OR NEW.due_at < OLD.due_at
             OR (NEW.zone IS NULL AND OLD.zone IS NOT NULL)))
  EXECUTE FUNCTION wake_for_changed_lead();
