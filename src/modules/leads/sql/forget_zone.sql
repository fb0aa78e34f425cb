-- The column `zone` is emptied when what it was found out from changes (leads/lead-zones.service.ts).
CREATE OR REPLACE FUNCTION forget_zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.zone = NULL;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER leads_forget_zone BEFORE UPDATE OF phone_number, variables, attempts ON leads FOR EACH ROW
  WHEN (NEW.main_lead_id IS NULL AND (OLD.phone_number <> NEW.phone_number OR NEW.attempts < OLD.attempts
        OR OLD.variables -> 'timezone' IS DISTINCT FROM NEW.variables -> 'timezone'))
  EXECUTE FUNCTION forget_zone();

CREATE OR REPLACE FUNCTION forget_zone_of_main_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE leads SET zone = NULL WHERE id = NEW.main_lead_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER leads_forget_zone_of_main AFTER UPDATE OF phone_number, variables, attempts ON leads
  FOR EACH ROW
  WHEN (NEW.main_lead_id IS NOT NULL AND (OLD.phone_number <> NEW.phone_number OR NEW.attempts < OLD.attempts
        OR OLD.variables -> 'timezone' IS DISTINCT FROM NEW.variables -> 'timezone'))
  EXECUTE FUNCTION forget_zone_of_main_lead();
