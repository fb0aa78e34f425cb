import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passages of documents as they are searched. */
export class KnowledgeChunks20261127001100 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE knowledge_chunks (
        document_id int NOT NULL REFERENCES knowledge_documents ON DELETE CASCADE,
        seq int NOT NULL,
        knowledge_base_id int NOT NULL,
        title text,
        text text NOT NULL,
        headings text[] NOT NULL,
        page int,
        url text,
        search tsvector NOT NULL,
        PRIMARY KEY (document_id, seq)
      );
      CREATE INDEX knowledge_chunks_search ON knowledge_chunks USING gin (search);

      CREATE TABLE knowledge_terms (
        document_id int NOT NULL REFERENCES knowledge_documents ON DELETE CASCADE,
        lexeme text COLLATE "C" NOT NULL,
        knowledge_base_id int NOT NULL,
        chunks int NOT NULL,
        PRIMARY KEY (document_id, lexeme)
      );
      CREATE INDEX knowledge_terms_base ON knowledge_terms (knowledge_base_id, lexeme);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE knowledge_terms, knowledge_chunks;');
  }
}
