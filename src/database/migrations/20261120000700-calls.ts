import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Calls20261120000700 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE calls (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        -- No foreign keys: a call is kept when its assistant, campaign or lead is deleted.
        assistant_id int NOT NULL,
        assistant_name text NOT NULL,
        campaign_id int,
        campaign_name text,
        lead_id int,
        type text NOT NULL CHECK (type IN ('inbound', 'outbound', 'web')),
        status text NOT NULL DEFAULT 'initiated' CHECK (status IN ('initiated', 'ringing', 'busy', 'in-progress',
          'ended', 'completed', 'ended_by_customer', 'ended_by_assistant', 'no-answer', 'failed')),
        token text NOT NULL UNIQUE,
        -- The request with an Idempotency-Key that created the call; a retry finds the call by it.
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
        webhook_response jsonb NOT NULL DEFAULT '{}',
        settings_not_applied text[] NOT NULL DEFAULT '{}',
        recording_url text,
        price_per_minute_micros bigint NOT NULL,
        carrier_cost_micros bigint NOT NULL DEFAULT 0,
        total_cost_micros bigint NOT NULL DEFAULT 0,
        max_duration int NOT NULL,
        -- The assistant's evaluation settings at the start of the call; null: no evaluation.
        evaluation_plan jsonb,
        -- When to ask the carrier for the state if it has not reported it.
        check_at timestamptz,
        -- When to ask again for a price that was unknown at completion.
        price_check_at timestamptz,
        wrap_up_state text CHECK (wrap_up_state IN ('pending', 'done')),
        wrap_up_attempts int NOT NULL DEFAULT 0,
        wrap_up_due_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        answered_at timestamptz,
        ended_at timestamptz,
        deleted_at timestamptz
      );
      CREATE INDEX calls_account ON calls (account_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX calls_status ON calls (account_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX calls_type ON calls (account_id, type, created_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX calls_assistant ON calls (account_id, assistant_id, created_at DESC, id DESC)
        WHERE deleted_at IS NULL;
      CREATE INDEX calls_campaign ON calls (account_id, campaign_id, created_at DESC, id DESC)
        WHERE deleted_at IS NULL;
      CREATE INDEX calls_client ON calls (account_id, client_phone_number, created_at DESC, id DESC)
        WHERE deleted_at IS NULL;
      CREATE INDEX calls_wrap_up ON calls (wrap_up_due_at, id) WHERE wrap_up_state = 'pending';
      CREATE INDEX calls_check ON calls (check_at, id) WHERE check_at IS NOT NULL;
      CREATE INDEX calls_price_check ON calls (price_check_at, id) WHERE price_check_at IS NOT NULL;

      -- Counts of calls for paginated lists: writers insert +1 and -1 rows, so they do not wait for each other;
      -- a job adds the rows up.
      CREATE TABLE call_tallies (
        account_id int NOT NULL,
        day date NOT NULL,
        assistant_id int NOT NULL,
        campaign_id int,
        type text NOT NULL,
        status text NOT NULL,
        n int NOT NULL
      );
      CREATE INDEX call_tallies_account ON call_tallies (account_id, day);
      CREATE FUNCTION tally_call() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          IF OLD.deleted_at IS NULL THEN
            INSERT INTO call_tallies VALUES (OLD.account_id, OLD.created_at::date, OLD.assistant_id,
              OLD.campaign_id, OLD.type, OLD.status, -1);
          END IF;
        END IF;
        IF NEW.deleted_at IS NULL THEN
          INSERT INTO call_tallies VALUES (NEW.account_id, NEW.created_at::date, NEW.assistant_id,
            NEW.campaign_id, NEW.type, NEW.status, 1);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_tally_insert AFTER INSERT ON calls FOR EACH ROW EXECUTE FUNCTION tally_call();
      CREATE TRIGGER calls_tally_update AFTER UPDATE OF status, deleted_at ON calls FOR EACH ROW
        WHEN (OLD.status <> NEW.status OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
        EXECUTE FUNCTION tally_call();

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
      CREATE TABLE call_tool_runs (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        call_id int NOT NULL REFERENCES calls ON DELETE CASCADE,
        -- In the same sequence as the turns.
        seq int NOT NULL,
        tool_name text NOT NULL,
        arguments jsonb NOT NULL,
        -- The result that the model received.
        answer text NOT NULL,
        ok boolean NOT NULL,
        status_code int,
        duration_ms int NOT NULL,
        error text,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (call_id, seq)
      );

      CREATE TABLE call_attempts (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        call_id int NOT NULL UNIQUE,
        campaign_id int,
        lead_id int,
        contact_id int,
        phone_number text NOT NULL,
        state text NOT NULL DEFAULT 'requesting' CHECK (state IN ('requesting', 'placed', 'closed')),
        slot_until timestamptz NOT NULL,
        outcome text,
        created_at timestamptz NOT NULL DEFAULT now(),
        closed_at timestamptz
      );
      -- One live attempt per lead, and one per number of an account.
      CREATE UNIQUE INDEX call_attempts_live_lead ON call_attempts (lead_id) WHERE state <> 'closed';
      CREATE UNIQUE INDEX call_attempts_live_number ON call_attempts (account_id, phone_number) WHERE state <> 'closed';
      CREATE INDEX call_attempts_slots ON call_attempts (account_id, campaign_id) WHERE state <> 'closed';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      'DROP TABLE call_attempts, call_tool_runs, call_turns, call_tallies, calls; DROP FUNCTION tally_call',
    );
  }
}
