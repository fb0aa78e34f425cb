import type { MigrationInterface, QueryRunner } from 'typeorm';
import { compressWithLz4 } from '../compress-with-lz4.js';

export class Calls20261126000815 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE calls (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        assistant_id int NOT NULL,
        assistant_name text NOT NULL,
        campaign_id int,
        campaign_name text,
        lead_id int,
        type text NOT NULL CHECK (type IN ('inbound', 'outbound', 'web')),
        status text NOT NULL DEFAULT 'initiated'
          CHECK (status IN ('initiated', 'ringing', 'busy', 'in-progress', 'ended', 'completed',
            'ended_by_customer', 'ended_by_assistant', 'no-answer', 'failed')),
        token text NOT NULL UNIQUE,
        request_id bigint UNIQUE,
        carrier_sid text UNIQUE,
        assistant_phone_number text NOT NULL,
        client_phone_number text NOT NULL,
        variables jsonb NOT NULL,
        answered_by text NOT NULL DEFAULT 'unknown' CHECK (answered_by IN ('human', 'machine', 'unknown')),
        ended_by text CHECK (ended_by IN ('customer', 'assistant', 'system')),
        ended_reason text,
        duration int NOT NULL DEFAULT 0,
        transcript text NOT NULL DEFAULT '',
        evaluation jsonb NOT NULL DEFAULT '{}',
        evaluation_error text,
        settings_not_applied text[] NOT NULL DEFAULT '{}',
        recording_url text,
        price_per_minute_micros bigint NOT NULL,
        carrier_cost_micros bigint NOT NULL DEFAULT 0,
        total_cost_micros bigint NOT NULL DEFAULT 0,
        max_duration int NOT NULL,
        evaluation_plan jsonb,
        check_at timestamptz,
        price_check_at timestamptz,
        wrap_up_state text CHECK (wrap_up_state IN ('pending', 'done')),
        wrap_up_attempts int NOT NULL DEFAULT 0,
        wrap_up_due_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        answered_at timestamptz,
        ended_at timestamptz,
        deleted_at timestamptz,
        hold_micros bigint NOT NULL DEFAULT 0 CHECK (hold_micros >= 0),
        conversation_claim int NOT NULL DEFAULT 0,
        hang_up_at timestamptz,
        concluded_claim int NOT NULL DEFAULT 0,
        transfers jsonb NOT NULL DEFAULT '[]',
        screened_at timestamptz,
        evaluated_at timestamptz,
        visitor text,
        visitor_variables text[] NOT NULL DEFAULT '{}',
        response_counts int[],
        CONSTRAINT calls_hold_released
          CHECK (hold_micros = 0 OR ended_at IS NULL OR (NOT wrap_up_state IS DISTINCT FROM 'pending'))
      ) WITH (fillfactor = 75);
      CREATE INDEX calls_account ON calls (account_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX calls_account_check ON calls (account_id, check_at, id) WHERE check_at IS NOT NULL;
      CREATE INDEX calls_account_price_check ON calls (account_id, price_check_at, id) WHERE price_check_at IS NOT NULL;
      CREATE INDEX calls_account_wrap_up ON calls (account_id, wrap_up_due_at, id) WHERE wrap_up_state = 'pending';
      CREATE INDEX calls_assistant ON calls (account_id, assistant_id, created_at DESC, id DESC)
        WHERE deleted_at IS NULL;
      CREATE INDEX calls_callers ON calls (account_id, assistant_phone_number, created_at) WHERE type = 'outbound';
      CREATE INDEX calls_campaign ON calls (account_id, campaign_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX calls_client ON calls (account_id, client_phone_number, created_at DESC, id DESC)
        WHERE deleted_at IS NULL;
      CREATE INDEX calls_dialled ON calls (account_id, client_phone_number, created_at)
        WHERE type = 'outbound' AND carrier_sid IS NOT NULL;
      CREATE INDEX calls_lead ON calls (lead_id) WHERE lead_id IS NOT NULL;
      CREATE INDEX calls_running ON calls (account_id) WHERE ended_at IS NULL;
      CREATE INDEX calls_status ON calls (account_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX calls_transferred ON calls (campaign_id) WHERE transfers <> '[]'::jsonb;
      CREATE INDEX calls_type ON calls (account_id, type, created_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX calls_uncounted ON calls (id) WHERE response_counts IS NULL;
      CREATE INDEX calls_visitors ON calls (assistant_id, created_at) WHERE visitor IS NOT NULL;

      CREATE TABLE call_model_usages (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        call_id int NOT NULL REFERENCES calls ON DELETE CASCADE,
        after_seq int NOT NULL,
        model text NOT NULL,
        prompt_tokens int NOT NULL,
        cached_tokens int NOT NULL,
        completion_tokens int NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX call_model_usages_call_id_idx ON call_model_usages (call_id);

      CREATE TABLE call_result_counts (
        campaign_id int NOT NULL,
        kind text NOT NULL CHECK (kind IN ('transfer', 'action')),
        name text NOT NULL,
        part int NOT NULL,
        n int NOT NULL,
        PRIMARY KEY (campaign_id, kind, name, part)
      ) WITH (fillfactor = 50);

      CREATE TABLE call_stat_changes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL,
        hour timestamptz NOT NULL,
        assistant_id int NOT NULL,
        campaign_id int,
        type text NOT NULL,
        status text NOT NULL,
        outcome text NOT NULL,
        answered_by text NOT NULL,
        n int NOT NULL,
        connected int NOT NULL,
        answered int NOT NULL,
        seconds int NOT NULL,
        cost_micros bigint NOT NULL,
        evaluated int NOT NULL,
        succeeded int NOT NULL,
        responses int[] NOT NULL,
        evaluation jsonb NOT NULL
      );
      CREATE INDEX call_stat_changes_account ON call_stat_changes (account_id, hour);

      CREATE TABLE call_stat_values (
        account_id int NOT NULL,
        dimension text NOT NULL,
        key text NOT NULL,
        PRIMARY KEY (account_id, dimension, key)
      );

      CREATE TABLE call_stats (
        account_id int NOT NULL,
        dimension text NOT NULL,
        hour timestamptz NOT NULL,
        key text NOT NULL,
        n int NOT NULL,
        connected int NOT NULL,
        answered int NOT NULL,
        seconds bigint NOT NULL,
        cost_micros bigint NOT NULL,
        evaluated int NOT NULL,
        succeeded int NOT NULL,
        responses int[] NOT NULL,
        PRIMARY KEY (account_id, dimension, hour, key)
      ) WITH (fillfactor = 70);

      CREATE TABLE call_tallies (
        account_id int NOT NULL,
        day date NOT NULL,
        assistant_id int NOT NULL,
        campaign_id int,
        type text NOT NULL,
        status text NOT NULL,
        n int NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        is_sum boolean NOT NULL DEFAULT false
      );
      CREATE INDEX call_tallies_account ON call_tallies (account_id, day);
      CREATE INDEX call_tallies_campaign ON call_tallies (campaign_id) WHERE campaign_id IS NOT NULL;
      CREATE INDEX call_tallies_new ON call_tallies (account_id, day) WHERE NOT is_sum;

      CREATE TABLE call_tool_runs (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        call_id int NOT NULL REFERENCES calls ON DELETE CASCADE,
        seq int NOT NULL,
        tool_name text NOT NULL,
        arguments jsonb NOT NULL,
        answer text NOT NULL,
        ok boolean NOT NULL,
        status_code int,
        duration_ms int NOT NULL,
        error text,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (call_id, seq)
      );

      CREATE TABLE call_turns (
        call_id int NOT NULL REFERENCES calls ON DELETE CASCADE,
        seq int NOT NULL,
        role text NOT NULL CHECK (role IN ('assistant', 'customer')),
        text text NOT NULL,
        interrupted boolean NOT NULL DEFAULT false,
        timings jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (call_id, seq)
      );

      CREATE TABLE call_webhook_responses (
        call_id int PRIMARY KEY,
        response jsonb NOT NULL
      );

      CREATE TABLE live_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL,
        call_id int NOT NULL,
        kind text NOT NULL CHECK (kind IN ('status', 'turn', 'tool', 'ended', 'transfer')),
        data json NOT NULL,
        seq bigint,
        created_at timestamptz NOT NULL DEFAULT now(),
        campaign_id int
      ) WITH (autovacuum_vacuum_scale_factor = 0.05);
      CREATE UNIQUE INDEX live_events_account_seq ON live_events (account_id, seq) WHERE seq IS NOT NULL;
      CREATE INDEX live_events_call_id_idx ON live_events (call_id);
      CREATE INDEX live_events_campaign_seq ON live_events (campaign_id, seq)
        WHERE campaign_id IS NOT NULL AND seq IS NOT NULL;
      CREATE INDEX live_events_unnumbered ON live_events (account_id, id) WHERE seq IS NULL;

      CREATE SEQUENCE live_event_seq;
      -- The job that adds the counters up writes them in this order (docs/build/adr/0008).
      ALTER TABLE call_tallies CLUSTER ON call_tallies_account;
    `);
    await compressWithLz4(db, 'calls', 'transcript');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE live_events, call_webhook_responses, call_turns, call_tool_runs, call_tallies, call_stats,
        call_stat_values, call_stat_changes, call_result_counts, call_model_usages, calls CASCADE;
      DROP SEQUENCE live_event_seq;
    `);
  }
}
