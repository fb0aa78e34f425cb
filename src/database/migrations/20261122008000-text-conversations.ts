import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHAT_KINDS = ['chat', 'chat-refund'];
const CHANNEL = 'conversation';

/** Conversations in text: see docs/adr/0023-text-conversations.md. */
export class TextConversations20261122008000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE plans ADD COLUMN price_per_message_micros bigint NOT NULL DEFAULT 10000
        CHECK (price_per_message_micros >= 0);
      ALTER TABLE assistants ADD COLUMN conversation_ended_webhook_url text;

      CREATE TABLE chats (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        assistant_id int NOT NULL REFERENCES assistants,
        assistant_name text NOT NULL,
        type text NOT NULL CHECK (type IN ('widget', 'test')),
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
        ended_at timestamptz
      );
      CREATE UNIQUE INDEX chats_request ON chats (assistant_id, request_key) WHERE request_key IS NOT NULL;
      CREATE INDEX chats_account ON chats (account_id, created_at DESC, id DESC);
      CREATE INDEX chats_account_turn ON chats (account_id, turn_due_at, id) WHERE turn_due_at IS NOT NULL;
      CREATE INDEX chats_account_end ON chats (account_id, end_due_at, id) WHERE end_due_at IS NOT NULL;

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
      );`);
    await setKinds(db, (kinds) => [...kinds, ...CHAT_KINDS]);
    await setChannels(db, ['post-call', 'inbound', CHANNEL]);
  }

  /** What was paid for messages stays in the ledger: it sums to the balances. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(
      `UPDATE ledger_entries SET kind = 'top-up', reference = kind || ' ' || reference WHERE kind = ANY($1)`,
      [CHAT_KINDS],
    );
    await setKinds(db, (kinds) => kinds.filter((kind) => !CHAT_KINDS.includes(kind)));
    await db.query(`DELETE FROM webhook_deliveries WHERE channel = '${CHANNEL}'`);
    await db.query(`DELETE FROM webhook_failures WHERE channel = '${CHANNEL}'`);
    await setChannels(db, ['post-call', 'inbound']);
    await db.query(`
      DROP TABLE chat_turns, chats;
      ALTER TABLE assistants DROP COLUMN conversation_ended_webhook_url;
      ALTER TABLE plans DROP COLUMN price_per_message_micros;`);
  }
}

/** Keeps the kinds that other migrations added. */
async function setKinds(db: QueryRunner, change: (kinds: string[]) => string[]): Promise<void> {
  const [check] = (await db.query(
    `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'ledger_entries_kind_check'`,
  )) as { definition: string }[];
  const kinds = [...(check?.definition ?? '').matchAll(/'([a-z-]+)'::text/g)].map(([, kind = '']) => kind);
  await db.query(`
    ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind_check,
      ADD CONSTRAINT ledger_entries_kind_check CHECK (kind IN (${listed(change(kinds))}))`);
}

const setChannels = (db: QueryRunner, channels: string[]): Promise<unknown> =>
  db.query(`
    ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_channel_check,
      ADD CONSTRAINT webhook_deliveries_channel_check CHECK (channel IN (${listed(channels)}))`);

const listed = (values: string[]): string => values.map((value) => `'${value}'`).join(', ');
