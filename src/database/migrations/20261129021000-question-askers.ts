import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A row is a question each time that it was asked, with its conversation. Of questions before nobody knows who asked
 * them, and no erasure would find them: they are removed.
 */
export class QuestionAskers20261129021000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE unanswered_questions;
      CREATE TABLE unanswered_questions (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        knowledge_base_id int NOT NULL REFERENCES knowledge_bases ON DELETE CASCADE,
        assistant_id int NOT NULL,
        call_id int,
        chat_id int,
        question text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT unanswered_questions_asker_check CHECK ((call_id IS NULL) <> (chat_id IS NULL))
      );
      CREATE INDEX unanswered_questions_base ON unanswered_questions (knowledge_base_id, id);
      CREATE INDEX unanswered_questions_assistant ON unanswered_questions (assistant_id, created_at);
      CREATE INDEX unanswered_questions_call ON unanswered_questions (call_id) WHERE call_id IS NOT NULL;
      CREATE INDEX unanswered_questions_chat ON unanswered_questions (chat_id) WHERE chat_id IS NOT NULL;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE unanswered_questions;
      CREATE TABLE unanswered_questions (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        knowledge_base_id int NOT NULL REFERENCES knowledge_bases ON DELETE CASCADE,
        question text NOT NULL,
        times int NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_asked_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (knowledge_base_id, question)
      );
      CREATE INDEX unanswered_questions_base
        ON unanswered_questions (knowledge_base_id, last_asked_at DESC, id DESC);
    `);
  }
}
