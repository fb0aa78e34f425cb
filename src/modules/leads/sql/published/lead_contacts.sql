-- Secondary contacts of main leads.
CREATE OR REPLACE VIEW lead_contacts AS
  SELECT id, main_lead_id FROM leads WHERE main_lead_id IS NOT NULL;
