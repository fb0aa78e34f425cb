import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Campaigns20261126000816 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE campaigns (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        assistant_id int NOT NULL REFERENCES assistants,
        name text NOT NULL,
        status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'in-progress', 'stopped', 'completed')),
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
        deleted_at timestamptz,
        leads_removed_at timestamptz,
        stopped_reason text
          CHECK (stopped_reason IN ('balance', 'assistant_inactive', 'assistant_deleted', 'no_phone_number')),
        windows jsonb NOT NULL DEFAULT '[]',
        strict_timezones boolean NOT NULL DEFAULT false,
        quiet_hours text NOT NULL DEFAULT 'none' CHECK (quiet_hours IN ('none', 'auto')),
        completed_at timestamptz,
        wake_at timestamptz NOT NULL DEFAULT now(),
        waits_for_slot boolean NOT NULL DEFAULT false,
        dialled_at timestamptz
      );
      CREATE INDEX campaigns_account ON campaigns (account_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX campaigns_due ON campaigns (wake_at) WHERE status = 'in-progress' AND deleted_at IS NULL;
      CREATE INDEX campaigns_to_empty ON campaigns (account_id, deleted_at, id)
        WHERE deleted_at IS NOT NULL AND leads_removed_at IS NULL;
      CREATE INDEX campaigns_waiting ON campaigns (account_id) WHERE waits_for_slot;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE campaigns CASCADE;
    `);
  }
}
