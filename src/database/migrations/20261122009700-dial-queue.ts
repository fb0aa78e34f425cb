import type { MigrationInterface, QueryRunner } from 'typeorm';

const QUEUED = `('created', 'scheduled', 'rescheduled')`;

const NUMBER_CHANGES = `(OLD.phone_number <> NEW.phone_number OR NEW.attempts < OLD.attempts
              OR OLD.variables -> 'timezone' IS DISTINCT FROM NEW.variables -> 'timezone')`;

/**
 * Leads carry the time zone of the number that is dialled next, and `due_at` no longer means that a window opens.
 * Campaigns carry the time at which they have something to do, which triggers on leads bring forward.
 */
export class DialQueue20261122009700 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE carrier_rates (
        account_sid text PRIMARY KEY,
        next_at timestamptz NOT NULL
      );
      ALTER TABLE campaigns ADD COLUMN wake_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN waits_for_slot boolean NOT NULL DEFAULT false,
        ADD COLUMN dialled_at timestamptz;
      CREATE INDEX campaigns_due ON campaigns (wake_at) WHERE status = 'in-progress' AND deleted_at IS NULL;
      DROP INDEX campaigns_running;
      CREATE INDEX campaigns_waiting ON campaigns (account_id) WHERE waits_for_slot;

      ALTER TABLE leads ADD COLUMN zone text;
      UPDATE leads SET due_at = now() WHERE status = 'created' AND due_at > now();
      DROP INDEX leads_open;
      CREATE INDEX leads_queue ON leads (campaign_id, status, zone, due_at, id)
        WHERE main_lead_id IS NULL AND status IN ${QUEUED};

      CREATE FUNCTION forget_zone() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.zone = NULL;
        RETURN NEW;
      END $$;
      CREATE TRIGGER leads_forget_zone BEFORE UPDATE OF phone_number, variables, attempts ON leads FOR EACH ROW
        WHEN (NEW.main_lead_id IS NULL AND ${NUMBER_CHANGES}) EXECUTE FUNCTION forget_zone();
      CREATE FUNCTION forget_zone_of_main_lead() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE leads SET zone = NULL WHERE id = NEW.main_lead_id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER leads_forget_zone_of_main AFTER UPDATE OF phone_number, variables, attempts ON leads FOR EACH ROW
        WHEN (NEW.main_lead_id IS NOT NULL AND ${NUMBER_CHANGES}) EXECUTE FUNCTION forget_zone_of_main_lead();

      CREATE FUNCTION wake_campaign(campaign int, at timestamptz) RETURNS void LANGUAGE sql AS $$
        UPDATE campaigns SET wake_at = at
         WHERE id = campaign AND status = 'in-progress' AND NOT waits_for_slot AND wake_at > at
      $$;
      CREATE FUNCTION wake_for_new_leads() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM wake_campaign(campaign_id, now())
           FROM (SELECT DISTINCT campaign_id FROM added WHERE main_lead_id IS NULL) AS campaigns_of_leads;
        RETURN NULL;
      END $$;
      CREATE TRIGGER leads_wake_added AFTER INSERT ON leads REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION wake_for_new_leads();
      CREATE FUNCTION wake_for_changed_lead() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM wake_campaign(NEW.campaign_id,
          CASE WHEN NEW.status IN ${QUEUED} THEN greatest(NEW.due_at, now()) ELSE now() END);
        RETURN NULL;
      END $$;
      CREATE TRIGGER leads_wake_changed AFTER UPDATE ON leads FOR EACH ROW
        WHEN (NEW.main_lead_id IS NULL AND NEW.status <> 'processing'
              AND (OLD.status <> NEW.status OR OLD.campaign_id <> NEW.campaign_id OR NEW.due_at < OLD.due_at
                   OR (NEW.zone IS NULL AND OLD.zone IS NOT NULL)))
        EXECUTE FUNCTION wake_for_changed_lead();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE carrier_rates;
      DROP TRIGGER leads_wake_changed ON leads;
      DROP TRIGGER leads_wake_added ON leads;
      DROP TRIGGER leads_forget_zone_of_main ON leads;
      DROP TRIGGER leads_forget_zone ON leads;
      DROP FUNCTION wake_for_changed_lead, wake_for_new_leads, wake_campaign, forget_zone_of_main_lead, forget_zone;
      DROP INDEX leads_queue;
      ALTER TABLE leads DROP COLUMN zone;
      CREATE INDEX leads_open ON leads (campaign_id, due_at, id)
        WHERE main_lead_id IS NULL AND status IN ('created', 'scheduled', 'rescheduled', 'processing');
      ALTER TABLE campaigns DROP COLUMN wake_at, DROP COLUMN waits_for_slot, DROP COLUMN dialled_at;
      CREATE INDEX campaigns_running ON campaigns (id) WHERE status = 'in-progress' AND deleted_at IS NULL;
    `);
  }
}
