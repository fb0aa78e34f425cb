import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ringing (up to 120 s) and goodbye: a call that exceeds its limit by this much counts as ended. */
const RUNNING_GRACE_SECONDS = 180;

const runningCalls = (condition: string): string => `
  CREATE OR REPLACE VIEW running_calls AS
    SELECT id, account_id, assistant_phone_number FROM calls
     WHERE ended_at IS NULL ${condition}
       AND created_at + make_interval(secs => max_duration + ${RUNNING_GRACE_SECONDS}) > now();`;

/** Calls and text conversations of visitors, who send no token; test conversations of a day. */
export class Visitors20261126000400 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE calls ADD COLUMN visitor text, ADD COLUMN visitor_variables text[] NOT NULL DEFAULT '{}';
      CREATE INDEX calls_visitors ON calls (assistant_id, created_at) WHERE visitor IS NOT NULL;
      -- A visitor's call takes a slot when its line opens.
      ${runningCalls("AND (visitor IS NULL OR status <> 'initiated')")}
      CREATE VIEW visitor_call_costs AS
        SELECT assistant_id, created_at, hold_micros + total_cost_micros AS micros FROM calls WHERE visitor IS NOT NULL;
    `);
    await db.query(`
      ALTER TABLE chats ADD COLUMN by_visitor boolean NOT NULL DEFAULT false,
        ADD COLUMN visitor_variables text[] NOT NULL DEFAULT '{}';
      CREATE INDEX chats_visitors ON chats (assistant_id, created_at) WHERE by_visitor;
      CREATE VIEW visitor_chat_costs AS
        SELECT assistant_id, created_at, total_cost_micros AS micros FROM chats WHERE by_visitor;
    `);
    await db.query(`
      ALTER TABLE plans ADD COLUMN max_test_conversations_per_day int NOT NULL DEFAULT 100
        CHECK (max_test_conversations_per_day >= 0);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE plans DROP COLUMN max_test_conversations_per_day`);
    await db.query(`
      DROP VIEW visitor_chat_costs;
      ALTER TABLE chats DROP COLUMN by_visitor, DROP COLUMN visitor_variables;
    `);
    await db.query(`
      DROP VIEW visitor_call_costs;
      ${runningCalls('')}
      ALTER TABLE calls DROP COLUMN visitor, DROP COLUMN visitor_variables;
    `);
  }
}
