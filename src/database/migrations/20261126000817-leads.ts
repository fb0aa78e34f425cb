import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Leads20261126000817 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE leads (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        campaign_id int NOT NULL REFERENCES campaigns ON DELETE CASCADE,
        main_lead_id int REFERENCES leads ON DELETE CASCADE,
        phone_number text NOT NULL,
        variables jsonb NOT NULL DEFAULT '{}',
        status text NOT NULL DEFAULT 'created'
          CHECK (status IN ('created', 'scheduled', 'processing', 'rescheduled', 'completed', 'reached-max-retries',
            'blacklisted')),
        is_duplicate boolean NOT NULL DEFAULT false,
        attempts int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        unscheduled_status text,
        last_outcome text CHECK (last_outcome IN ('completed', 'goal_incomplete', 'opted_out', 'machine', 'busy',
          'no-answer', 'failed', 'invalid_number', 'no_timezone', 'number_limit', 'suppressed',
            'destination_not_allowed')),
        number_invalid boolean NOT NULL DEFAULT false,
        requeue_after_call boolean NOT NULL DEFAULT false,
        zone text,
        former_phone_number text
      );
      CREATE INDEX leads_account ON leads (account_id, created_at DESC, id DESC) INCLUDE (campaign_id)
        WHERE main_lead_id IS NULL;
      CREATE INDEX leads_caller ON leads (account_id, phone_number);
      CREATE INDEX leads_campaign ON leads (account_id, campaign_id, created_at DESC, id DESC) INCLUDE (status)
        WHERE main_lead_id IS NULL;
      CREATE INDEX leads_campaign_status ON leads (campaign_id, status) WHERE main_lead_id IS NULL;
      CREATE INDEX leads_contacts ON leads (main_lead_id, id) WHERE main_lead_id IS NOT NULL;
      CREATE INDEX leads_copies ON leads (campaign_id, phone_number, id) WHERE is_duplicate;
      CREATE UNIQUE INDEX leads_number ON leads (campaign_id, phone_number)
        WHERE main_lead_id IS NULL AND (NOT is_duplicate);
      CREATE INDEX leads_queue ON leads (campaign_id, status, zone, due_at, id)
        WHERE main_lead_id IS NULL AND status IN ('created', 'scheduled', 'rescheduled');
      CREATE INDEX leads_status ON leads (account_id, status, created_at DESC, id DESC) INCLUDE (campaign_id)
        WHERE main_lead_id IS NULL;

      CREATE TABLE lead_counts (
        campaign_id int NOT NULL REFERENCES campaigns ON DELETE CASCADE,
        part int NOT NULL,
        n int NOT NULL,
        status text NOT NULL,
        PRIMARY KEY (campaign_id, part, status)
      ) WITH (fillfactor = 50);

      CREATE TABLE lead_day_counts (
        campaign_id int NOT NULL REFERENCES campaigns ON DELETE CASCADE,
        day date NOT NULL,
        part int NOT NULL,
        status text NOT NULL,
        n int NOT NULL,
        PRIMARY KEY (campaign_id, day, part, status)
      ) WITH (fillfactor = 50);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE lead_day_counts, lead_counts, leads CASCADE;
    `);
  }
}
