import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CampaignsAndLeads20261120000600 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE campaigns (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        assistant_id int NOT NULL REFERENCES assistants,
        name text NOT NULL,
        status text NOT NULL DEFAULT 'draft'
          CHECK (status IN ('draft', 'in-progress', 'stopped', 'completed')),
        timezone text NOT NULL,
        max_calls_in_parallel int NOT NULL,
        allowed_hours_start_time text NOT NULL,
        allowed_hours_end_time text NOT NULL,
        allowed_days text[] NOT NULL,
        max_retries int NOT NULL,
        retry_interval int NOT NULL,
        retry_on_voicemail boolean NOT NULL,
        retry_on_goal_incomplete boolean NOT NULL,
        goal_completion_variable text,
        mark_complete_when_no_leads boolean NOT NULL,
        phone_number_ids int[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz
      );
      CREATE INDEX campaigns_account ON campaigns (account_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX campaigns_running ON campaigns (id) WHERE status = 'in-progress' AND deleted_at IS NULL;

      CREATE TABLE leads (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        campaign_id int NOT NULL REFERENCES campaigns ON DELETE CASCADE,
        main_lead_id int REFERENCES leads ON DELETE CASCADE,
        phone_number text NOT NULL,
        variables jsonb NOT NULL DEFAULT '{}',
        status text NOT NULL DEFAULT 'created' CHECK (status IN ('created', 'scheduled', 'processing',
          'rescheduled', 'completed', 'reached-max-retries', 'blacklisted')),
        -- Of several main leads with one number in a campaign exactly one is not a duplicate: the index decides.
        is_duplicate boolean NOT NULL DEFAULT false,
        attempts int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX leads_number ON leads (campaign_id, phone_number)
        WHERE main_lead_id IS NULL AND NOT is_duplicate;
      CREATE INDEX leads_copies ON leads (campaign_id, phone_number, id) WHERE is_duplicate;
      CREATE INDEX leads_account ON leads (account_id, created_at DESC, id DESC) WHERE main_lead_id IS NULL;
      CREATE INDEX leads_contacts ON leads (main_lead_id, id) WHERE main_lead_id IS NOT NULL;
      -- The next one due, and whether a campaign has any left.
      CREATE INDEX leads_open ON leads (campaign_id, due_at, id)
        WHERE main_lead_id IS NULL AND status IN ('created', 'scheduled', 'rescheduled', 'processing');
      CREATE INDEX leads_campaign_status ON leads (campaign_id, status) WHERE main_lead_id IS NULL;

      CREATE TABLE suppressions (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        phone_number text NOT NULL,
        reason text,
        source text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (account_id, phone_number)
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE suppressions, leads, campaigns');
  }
}
