import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The daily budget of a widget counts messages by their own time; it counted them by the beginning of their chat. */
export class VisitorMessages20261128220000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE chat_turns ADD COLUMN visitor_assistant_id int;
      UPDATE chat_turns turn SET visitor_assistant_id = chat.assistant_id FROM chats chat
       WHERE chat.id = turn.chat_id AND chat.by_visitor AND turn.seq > 0;
      CREATE INDEX chat_turns_visitors ON chat_turns (visitor_assistant_id, created_at)
        WHERE visitor_assistant_id IS NOT NULL;
      DROP INDEX chats_visitors;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX chats_visitors ON chats (assistant_id, created_at) WHERE by_visitor;
      CREATE OR REPLACE VIEW visitor_chat_costs AS
        SELECT assistant_id, created_at, total_cost_micros AS micros FROM chats WHERE by_visitor;
      ALTER TABLE chat_turns DROP COLUMN visitor_assistant_id;`);
  }
}
