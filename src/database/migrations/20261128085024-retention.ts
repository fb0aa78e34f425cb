import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each partial index has the rows that still have something to remove, so that a pass reads no others. */
export class Retention20261128085024 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE retention_policies (
        account_id int PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        recordings_days int,
        transcripts_days int,
        variables_days int,
        conversations_days int,
        sms_days int,
        deliveries_days int,
        mask_numbers boolean NOT NULL DEFAULT false,
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      ALTER TABLE assistants ADD COLUMN retention jsonb;
      CREATE INDEX assistants_retention ON assistants (account_id) WHERE retention IS NOT NULL;
      ALTER TABLE calls
        ADD COLUMN transcript_deleted_at timestamptz,
        ADD COLUMN variables_deleted_at timestamptz,
        ADD COLUMN number_masked boolean NOT NULL DEFAULT false,
        ADD COLUMN counted_evaluation jsonb;
      CREATE INDEX calls_recorded ON calls (assistant_id, ended_at) WHERE recording_url IS NOT NULL;
      CREATE INDEX calls_with_transcript ON calls (assistant_id, ended_at)
        WHERE ended_at IS NOT NULL AND transcript_deleted_at IS NULL;
      CREATE INDEX calls_with_variables ON calls (assistant_id, ended_at)
        WHERE ended_at IS NOT NULL AND variables_deleted_at IS NULL;
      CREATE INDEX calls_unmasked ON calls (assistant_id, type, ended_at)
        WHERE transcript_deleted_at IS NOT NULL AND NOT number_masked;
      ALTER TABLE chats ADD COLUMN content_deleted_at timestamptz;
      CREATE INDEX chats_with_content ON chats (assistant_id, updated_at)
        WHERE state = 'ended' AND content_deleted_at IS NULL;
      CREATE INDEX sms_messages_with_body ON sms_messages (account_id, created_at) WHERE body <> '';
      CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (assistant_id, created_at)
        WHERE state <> 'pending';
    `);
  }

  /** What was removed stays removed. The files of the version before make their view and triggers again. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER IF EXISTS calls_stats_update ON calls;
      DROP TRIGGER IF EXISTS calls_mask_attempt ON calls;
      DROP TRIGGER IF EXISTS calls_recording_removed ON calls;
      DROP VIEW IF EXISTS counted_calls, assistant_retention;
      CREATE TRIGGER calls_stats_update
        AFTER UPDATE OF response_counts, deleted_at, status, ended_reason, answered_by, answered_at, duration,
          total_cost_micros, evaluation ON calls FOR EACH ROW
        WHEN (NEW.response_counts IS NOT NULL) EXECUTE FUNCTION change_call_stats();
      CREATE VIEW counted_calls AS
        SELECT account_id, date_trunc('hour', created_at, 'UTC') AS hour, assistant_id, campaign_id, type, status,
               call_outcome(ended_reason) AS outcome, answered_by, 1 AS n, (answered_at IS NOT NULL)::int AS connected,
               (answered_at IS NOT NULL AND answered_by <> 'machine')::int AS answered, duration AS seconds,
               total_cost_micros AS cost_micros, (success IS NOT NULL)::int AS evaluated,
               coalesce(success, false)::int AS succeeded, response_counts AS responses,
               call_stat_evaluation(evaluation_plan, evaluation) AS evaluation
          FROM calls CROSS JOIN LATERAL (SELECT call_success(evaluation_plan, evaluation) AS success) AS evaluated
         WHERE response_counts IS NOT NULL AND deleted_at IS NULL;
      DROP FUNCTION IF EXISTS action_argument(text), mask_attempt(), masked_number(text), forget_webhook_bodies(int[]),
        call_evaluation_rest(jsonb, jsonb);
      DROP INDEX webhook_deliveries_finished, sms_messages_with_body;
      ALTER TABLE chats DROP COLUMN content_deleted_at;
      ALTER TABLE calls
        DROP COLUMN transcript_deleted_at,
        DROP COLUMN variables_deleted_at,
        DROP COLUMN number_masked,
        DROP COLUMN counted_evaluation;
      DROP INDEX calls_recorded;
      ALTER TABLE assistants DROP COLUMN retention;
      DROP TABLE retention_policies;
    `);
  }
}
