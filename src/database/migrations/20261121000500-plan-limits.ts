import type { MigrationInterface, QueryRunner } from 'typeorm';

/** See docs/adr/0013-bounded-answers.md. */
export class PlanLimits20261121000500 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE plans
        ADD COLUMN max_assistants int NOT NULL DEFAULT 1000,
        ADD COLUMN max_leads_per_campaign int NOT NULL DEFAULT 1000000;
      UPDATE plans SET max_assistants = 1000000, max_leads_per_campaign = 100000000 WHERE name = 'unlimited';

      -- Main leads of each campaign: the sum of its rows. Connections count into different rows, so that
      -- inserts at the same time do not wait for each other.
      CREATE TABLE lead_counts (
        campaign_id int NOT NULL REFERENCES campaigns ON DELETE CASCADE,
        part int NOT NULL,
        n int NOT NULL,
        PRIMARY KEY (campaign_id, part)
      ) WITH (fillfactor = 50);

      CREATE FUNCTION count_leads(campaign int, change int) RETURNS void LANGUAGE sql AS $$
        INSERT INTO lead_counts AS c VALUES (campaign, pg_backend_pid() % 64, change)
        ON CONFLICT (campaign_id, part) DO UPDATE SET n = c.n + excluded.n
      $$;
      CREATE FUNCTION count_inserted_leads() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_leads(campaign_id, count(*)::int) FROM inserted WHERE main_lead_id IS NULL
          GROUP BY campaign_id ORDER BY campaign_id;
        RETURN NULL;
      END $$;
      CREATE FUNCTION count_deleted_leads() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- A campaign that is deleted for good takes its counts with it.
        PERFORM count_leads(campaign_id, -count(*)::int) FROM deleted
          WHERE main_lead_id IS NULL AND campaign_id IN (SELECT id FROM campaigns)
          GROUP BY campaign_id ORDER BY campaign_id;
        RETURN NULL;
      END $$;
      CREATE FUNCTION count_moved_lead() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_leads(campaign, change)
          FROM (VALUES (OLD.campaign_id, -1), (NEW.campaign_id, 1)) AS c (campaign, change) ORDER BY campaign;
        RETURN NULL;
      END $$;
      CREATE TRIGGER leads_inserted AFTER INSERT ON leads REFERENCING NEW TABLE AS inserted
        FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_leads();
      CREATE TRIGGER leads_deleted AFTER DELETE ON leads REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_leads();
      CREATE TRIGGER leads_moved AFTER UPDATE OF campaign_id ON leads FOR EACH ROW
        WHEN (OLD.campaign_id <> NEW.campaign_id AND NEW.main_lead_id IS NULL)
        EXECUTE FUNCTION count_moved_lead();
      -- After the triggers are created: their locks exclude writers until the commit.
      INSERT INTO lead_counts
        SELECT campaign_id, 0, count(*) FROM leads WHERE main_lead_id IS NULL GROUP BY campaign_id;

      CREATE INDEX suppressions_account ON suppressions (account_id, created_at DESC, id DESC);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX suppressions_account;
      DROP TRIGGER leads_moved ON leads;
      DROP TRIGGER leads_deleted ON leads;
      DROP TRIGGER leads_inserted ON leads;
      DROP FUNCTION count_moved_lead, count_deleted_leads, count_inserted_leads, count_leads;
      DROP TABLE lead_counts;
      ALTER TABLE plans DROP COLUMN max_assistants, DROP COLUMN max_leads_per_campaign;
    `);
  }
}
