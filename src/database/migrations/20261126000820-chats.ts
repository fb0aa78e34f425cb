import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Chats20261126000820 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE chats (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        assistant_id int NOT NULL REFERENCES assistants,
        assistant_name text NOT NULL,
        type text NOT NULL CHECK (type IN ('widget', 'test', 'api')),
        variables jsonb NOT NULL,
        request_key text,
        request_hash text,
        price_micros bigint NOT NULL,
        total_cost_micros bigint NOT NULL DEFAULT 0,
        state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'ended')),
        ended_reason text,
        message_count int NOT NULL DEFAULT 0,
        asked_seq int NOT NULL DEFAULT 0,
        answered_seq int NOT NULL DEFAULT 0,
        turn_due_at timestamptz,
        turn_claims int NOT NULL DEFAULT 0,
        end_due_at timestamptz,
        end_claims int NOT NULL DEFAULT 0,
        evaluation_plan jsonb,
        evaluation jsonb,
        evaluation_error text,
        evaluation_attempts int NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        by_visitor boolean NOT NULL DEFAULT false,
        visitor_variables text[] NOT NULL DEFAULT '{}',
        external_identifier text,
        ai_enabled boolean NOT NULL DEFAULT true,
        silence_minutes int NOT NULL DEFAULT 10
      );
      CREATE INDEX chats_account ON chats (account_id, created_at DESC, id DESC);
      CREATE INDEX chats_account_customer ON chats (account_id, external_identifier, created_at DESC, id DESC)
        WHERE external_identifier IS NOT NULL;
      CREATE INDEX chats_account_end ON chats (account_id, end_due_at, id) WHERE end_due_at IS NOT NULL;
      CREATE INDEX chats_account_turn ON chats (account_id, turn_due_at, id) WHERE turn_due_at IS NOT NULL;
      CREATE UNIQUE INDEX chats_active_customer ON chats (assistant_id, external_identifier)
        WHERE external_identifier IS NOT NULL AND state = 'active';
      CREATE UNIQUE INDEX chats_request ON chats (assistant_id, request_key) WHERE request_key IS NOT NULL;
      CREATE INDEX chats_visitors ON chats (assistant_id, created_at) WHERE by_visitor;

      CREATE TABLE chat_turns (
        chat_id int NOT NULL REFERENCES chats ON DELETE CASCADE,
        seq int NOT NULL,
        message text,
        answer text,
        function_calls jsonb NOT NULL DEFAULT '[]',
        request_key text,
        cost_micros bigint NOT NULL DEFAULT 0,
        tries int NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        answered_at timestamptz,
        delivered_at timestamptz,
        PRIMARY KEY (chat_id, seq)
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE chat_turns, chats CASCADE;
    `);
  }
}
