import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The knowledge base of an assistant, and the questions that it did not answer. */
export class AssistantKnowledge20261127001200 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE assistants
        ADD COLUMN knowledgebase_id int REFERENCES knowledge_bases ON DELETE SET NULL,
        ADD COLUMN knowledgebase_mode text NOT NULL DEFAULT 'function_call'
          CHECK (knowledgebase_mode IN ('function_call', 'prompt'));
      CREATE INDEX assistants_knowledgebase ON assistants (knowledgebase_id) WHERE knowledgebase_id IS NOT NULL;

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

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP VIEW IF EXISTS assistant_knowledge;
      DROP TABLE unanswered_questions;
      ALTER TABLE assistants DROP COLUMN knowledgebase_id, DROP COLUMN knowledgebase_mode;
    `);
  }
}
