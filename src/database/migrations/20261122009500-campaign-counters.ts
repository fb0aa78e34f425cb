import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of the tools whose successful runs are actions, the argument that one has; see calls/call-actions.ts. */
const ACTIONS = JSON.stringify({
  call_screening: 'step',
  send_digits: 'digits',
  switch_language: 'language',
  schedule_callback: 'local_time',
  voicemail: 'outcome',
});

/** Counters of a campaign's leads by status, of its calls, and of what happened in them (docs/adr/0027). */
export class CampaignCounters20261122009500 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // The locks are negative numbers: those of ADVISORY_LOCKS are positive.
    await db.query(`
      CREATE FUNCTION counting_part(campaign int) RETURNS int LANGUAGE plpgsql AS $$
      BEGIN
        FOR part IN 0..62 LOOP
          IF pg_try_advisory_xact_lock($1::bigint * -64 - part) THEN RETURN part; END IF;
        END LOOP;
        RETURN 63;
      END $$;`);
    await this.countLeads(db);
    await this.countCalls(db);
  }

  private async countLeads(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER leads_moved ON leads;
      DROP TRIGGER leads_deleted ON leads;
      DROP TRIGGER leads_inserted ON leads;
      DROP FUNCTION count_moved_lead, count_deleted_leads, count_inserted_leads, count_leads;
      DELETE FROM lead_counts;
      ALTER TABLE lead_counts DROP CONSTRAINT lead_counts_pkey, ADD COLUMN status text NOT NULL,
        ADD PRIMARY KEY (campaign_id, part, status);

      CREATE FUNCTION count_leads() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO lead_counts AS c (campaign_id, part, status, n)
          SELECT campaign_id, counting_part(campaign_id), status, n FROM (
            SELECT campaign_id, status, count(*) AS n FROM added WHERE main_lead_id IS NULL GROUP BY 1, 2) change
          ON CONFLICT (campaign_id, part, status) DO UPDATE SET n = c.n + excluded.n;
        ELSIF TG_OP = 'UPDATE' THEN
          INSERT INTO lead_counts AS c (campaign_id, part, status, n)
          SELECT campaign_id, counting_part(campaign_id), status, n FROM (
            SELECT campaign_id, status, sum(one) AS n FROM (
              SELECT campaign_id, status, -1 AS one FROM removed WHERE main_lead_id IS NULL
              UNION ALL SELECT campaign_id, status, 1 FROM added WHERE main_lead_id IS NULL) lead
             GROUP BY 1, 2 HAVING sum(one) <> 0) change
          ON CONFLICT (campaign_id, part, status) DO UPDATE SET n = c.n + excluded.n;
        ELSE
          -- A campaign that is deleted for good takes its counts with it.
          INSERT INTO lead_counts AS c (campaign_id, part, status, n)
          SELECT campaign_id, counting_part(campaign_id), status, -n FROM (
            SELECT campaign_id, status, count(*) AS n FROM removed
             WHERE main_lead_id IS NULL AND campaign_id IN (SELECT id FROM campaigns) GROUP BY 1, 2) change
          ON CONFLICT (campaign_id, part, status) DO UPDATE SET n = c.n + excluded.n;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER leads_inserted AFTER INSERT ON leads REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION count_leads();
      CREATE TRIGGER leads_updated AFTER UPDATE ON leads REFERENCING OLD TABLE AS removed NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION count_leads();
      CREATE TRIGGER leads_deleted AFTER DELETE ON leads REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION count_leads();
      -- After the triggers are created: their locks exclude writers until the commit.
      INSERT INTO lead_counts (campaign_id, part, status, n)
        SELECT campaign_id, 0, status, count(*) FROM leads WHERE main_lead_id IS NULL GROUP BY 1, 3;`);
  }

  private async countCalls(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE call_tallies ADD COLUMN is_sum boolean NOT NULL DEFAULT false;
      WITH gone AS (DELETE FROM call_tallies RETURNING *)
      INSERT INTO call_tallies (account_id, day, assistant_id, campaign_id, type, status, n, is_sum)
        SELECT account_id, day, assistant_id, campaign_id, type, status, sum(n), true
          FROM gone GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) <> 0;
      CREATE INDEX call_tallies_new ON call_tallies (account_id, day) WHERE NOT is_sum;
      CREATE INDEX call_tallies_campaign ON call_tallies (campaign_id) WHERE campaign_id IS NOT NULL;

      -- Transfers by status, and calls by the tool of a successful action. As calls, without foreign keys.
      CREATE TABLE call_result_counts (
        campaign_id int NOT NULL,
        kind text NOT NULL CHECK (kind IN ('transfer', 'action')),
        name text NOT NULL,
        part int NOT NULL,
        n int NOT NULL,
        PRIMARY KEY (campaign_id, kind, name, part)
      ) WITH (fillfactor = 50);
      CREATE FUNCTION is_action(run call_tool_runs) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
        SELECT run.ok AND run.status_code IS NULL
          AND coalesce(jsonb_typeof(run.arguments -> ('${ACTIONS}'::jsonb ->> run.tool_name)) = 'string', false)
      $$;
      CREATE FUNCTION count_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO call_result_counts AS c (campaign_id, kind, name, part, n)
        SELECT NEW.campaign_id, 'transfer', name, counting_part(NEW.campaign_id), sum(one) FROM (
          SELECT t ->> 'status' AS name, -1 AS one FROM jsonb_array_elements(OLD.transfers) t
           WHERE OLD.deleted_at IS NULL
          UNION ALL SELECT t ->> 'status', 1 FROM jsonb_array_elements(NEW.transfers) t
           WHERE NEW.deleted_at IS NULL) change
         GROUP BY name HAVING sum(one) <> 0
        ON CONFLICT (campaign_id, kind, name, part) DO UPDATE SET n = c.n + excluded.n;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_count_transfers AFTER UPDATE OF transfers, deleted_at ON calls FOR EACH ROW
        WHEN (NEW.campaign_id IS NOT NULL AND
          (OLD.transfers <> NEW.transfers OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at))
        EXECUTE FUNCTION count_transfers();

      CREATE FUNCTION count_actions_of_call() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO call_result_counts AS c (campaign_id, kind, name, part, n)
        SELECT DISTINCT NEW.campaign_id, 'action', run.tool_name, counting_part(NEW.campaign_id),
               CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END
          FROM call_tool_runs run WHERE run.call_id = NEW.id AND is_action(run)
        ON CONFLICT (campaign_id, kind, name, part) DO UPDATE SET n = c.n + excluded.n;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_count_actions AFTER UPDATE OF deleted_at ON calls FOR EACH ROW
        WHEN (NEW.campaign_id IS NOT NULL AND (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
        EXECUTE FUNCTION count_actions_of_call();

      CREATE FUNCTION count_action() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- A call counts once, however often its assistant did it.
        INSERT INTO call_result_counts AS c (campaign_id, kind, name, part, n)
        SELECT campaign_id, 'action', NEW.tool_name, counting_part(campaign_id), 1 FROM calls
         WHERE id = NEW.call_id AND campaign_id IS NOT NULL AND deleted_at IS NULL
           AND NOT EXISTS (SELECT FROM call_tool_runs run WHERE run.call_id = NEW.call_id
                 AND run.tool_name = NEW.tool_name AND run.id < NEW.id AND is_action(run))
        ON CONFLICT (campaign_id, kind, name, part) DO UPDATE SET n = c.n + excluded.n;
        RETURN NULL;
      END $$;
      CREATE TRIGGER call_tool_runs_count AFTER INSERT ON call_tool_runs FOR EACH ROW
        WHEN (is_action(NEW)) EXECUTE FUNCTION count_action();

      INSERT INTO call_result_counts (campaign_id, kind, name, part, n)
        SELECT campaign_id, 'transfer', t ->> 'status', 0, count(*)
          FROM calls CROSS JOIN LATERAL jsonb_array_elements(transfers) AS t
         WHERE campaign_id IS NOT NULL AND deleted_at IS NULL AND transfers <> '[]'::jsonb GROUP BY 1, 3
        UNION ALL
        SELECT campaign_id, 'action', run.tool_name, 0, count(DISTINCT calls.id)
          FROM call_tool_runs run JOIN calls ON calls.id = run.call_id
         WHERE campaign_id IS NOT NULL AND deleted_at IS NULL AND is_action(run) GROUP BY 1, 3;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER call_tool_runs_count ON call_tool_runs;
      DROP TRIGGER calls_count_actions ON calls;
      DROP TRIGGER calls_count_transfers ON calls;
      DROP FUNCTION count_action, count_actions_of_call, count_transfers, is_action;
      DROP TABLE call_result_counts;
      DROP INDEX call_tallies_campaign, call_tallies_new;
      ALTER TABLE call_tallies DROP COLUMN is_sum;

      DROP TRIGGER leads_deleted ON leads;
      DROP TRIGGER leads_updated ON leads;
      DROP TRIGGER leads_inserted ON leads;
      DROP FUNCTION count_leads(), counting_part;
      DELETE FROM lead_counts;
      ALTER TABLE lead_counts DROP CONSTRAINT lead_counts_pkey;
      ALTER TABLE lead_counts DROP COLUMN status, ADD PRIMARY KEY (campaign_id, part);

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
      INSERT INTO lead_counts (campaign_id, part, n)
        SELECT campaign_id, 0, count(*) FROM leads WHERE main_lead_id IS NULL GROUP BY 1;`);
  }
}
