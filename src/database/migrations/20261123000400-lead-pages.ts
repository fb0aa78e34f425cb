import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds leads to both counters. @param leads SQL of their rows with `one`: 1 or -1 */
const counting = (leads: string): string => `
          WITH change AS MATERIALIZED (
            SELECT campaign_id, counting_part(campaign_id) AS part, day, status, n FROM (
              SELECT campaign_id, (created_at AT TIME ZONE 'UTC')::date AS day, status, sum(one) AS n
                FROM (${leads}) lead GROUP BY 1, 2, 3 HAVING sum(one) <> 0) counted),
          by_day AS (
            INSERT INTO lead_day_counts AS c (campaign_id, day, part, status, n)
            SELECT campaign_id, day, part, status, n FROM change
            ON CONFLICT (campaign_id, day, part, status) DO UPDATE SET n = c.n + excluded.n)
          INSERT INTO lead_counts AS c (campaign_id, part, status, n)
          SELECT campaign_id, part, status, sum(n) FROM change GROUP BY 1, 2, 3
          ON CONFLICT (campaign_id, part, status) DO UPDATE SET n = c.n + excluded.n;`;

/** Counters of leads by day, and indexes in the order of their lists: pages are found without counting (docs/adr/0027). */
export class LeadPages20261123000400 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- Writers wait until the rows that there are have been counted.
      LOCK TABLE leads IN SHARE ROW EXCLUSIVE MODE;
      CREATE TABLE lead_day_counts (
        campaign_id int NOT NULL REFERENCES campaigns ON DELETE CASCADE,
        day date NOT NULL,
        part int NOT NULL,
        status text NOT NULL,
        n int NOT NULL,
        PRIMARY KEY (campaign_id, day, part, status)
      ) WITH (fillfactor = 50);
      INSERT INTO lead_day_counts (campaign_id, day, part, status, n)
        SELECT campaign_id, (created_at AT TIME ZONE 'UTC')::date, 0, status, count(*)
          FROM leads WHERE main_lead_id IS NULL GROUP BY 1, 2, 4;

      -- With the campaign, so that an index tells which leads are being removed.
      DROP INDEX leads_account;
      CREATE INDEX leads_account ON leads (account_id, created_at DESC, id DESC) INCLUDE (campaign_id)
        WHERE main_lead_id IS NULL;
      CREATE INDEX leads_status ON leads (account_id, status, created_at DESC, id DESC) INCLUDE (campaign_id)
        WHERE main_lead_id IS NULL;
      CREATE INDEX leads_campaign ON leads (account_id, campaign_id, created_at DESC, id DESC) INCLUDE (status)
        WHERE main_lead_id IS NULL;
      CREATE OR REPLACE FUNCTION count_leads() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          ${counting('SELECT campaign_id, created_at, status, 1 AS one FROM added WHERE main_lead_id IS NULL')}
        ELSIF TG_OP = 'UPDATE' THEN
          ${counting(`SELECT campaign_id, created_at, status, -1 AS one FROM removed WHERE main_lead_id IS NULL
              UNION ALL SELECT campaign_id, created_at, status, 1 FROM added WHERE main_lead_id IS NULL`)}
        ELSE
          -- A campaign that is deleted for good takes its counts with it.
          ${counting(`SELECT campaign_id, created_at, status, -1 AS one FROM removed
               WHERE main_lead_id IS NULL AND campaign_id IN (SELECT id FROM campaigns)`)}
        END IF;
        RETURN NULL;
      END $$;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX leads_campaign, leads_status, leads_account;
      CREATE INDEX leads_account ON leads (account_id, created_at DESC, id DESC) WHERE main_lead_id IS NULL;
      CREATE OR REPLACE FUNCTION count_leads() RETURNS trigger LANGUAGE plpgsql AS $$
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
      DROP TABLE lead_day_counts;`);
  }
}
