import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Knowledge bases with their documents, and the limits of plans for them. */
export class Knowledge20261127001000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE plans
        ADD COLUMN max_knowledge_bases int NOT NULL DEFAULT 20,
        ADD COLUMN max_documents int NOT NULL DEFAULT 200,
        ADD COLUMN max_document_megabytes int NOT NULL DEFAULT 200,
        ADD COLUMN max_website_pages int NOT NULL DEFAULT 60;
      UPDATE plans SET max_knowledge_bases = 2, max_documents = 10, max_document_megabytes = 20,
        max_website_pages = 20 WHERE name = 'free';
      UPDATE plans SET max_knowledge_bases = 10000, max_documents = 100000, max_document_megabytes = 1000000,
        max_website_pages = 100 WHERE name = 'unlimited';

      CREATE TABLE knowledge_bases (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        name text NOT NULL,
        description text,
        language text NOT NULL DEFAULT 'en',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX knowledge_bases_account ON knowledge_bases (account_id, created_at DESC, id DESC);

      CREATE TABLE knowledge_documents (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        knowledge_base_id int NOT NULL REFERENCES knowledge_bases ON DELETE CASCADE,
        name text NOT NULL,
        description text,
        type text NOT NULL CHECK (type IN ('website', 'pdf', 'txt', 'docx')),
        links text[] NOT NULL DEFAULT '{}',
        relative_links_limit int NOT NULL DEFAULT 0,
        state text NOT NULL DEFAULT 'processing' CHECK (state IN ('processing', 'active', 'failed')),
        failure text,
        size_bytes int NOT NULL DEFAULT 0,
        chunks_count int NOT NULL DEFAULT 0,
        due_at timestamptz,
        claims int NOT NULL DEFAULT 0,
        attempts int NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX knowledge_documents_base ON knowledge_documents (knowledge_base_id, created_at DESC, id DESC);
      CREATE INDEX knowledge_documents_due ON knowledge_documents (account_id, due_at, id)
        WHERE due_at IS NOT NULL;

      CREATE TABLE knowledge_files (
        document_id int PRIMARY KEY REFERENCES knowledge_documents ON DELETE CASCADE,
        content bytea NOT NULL
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE knowledge_files, knowledge_documents, knowledge_bases;
      ALTER TABLE plans DROP COLUMN max_knowledge_bases, DROP COLUMN max_documents,
        DROP COLUMN max_document_megabytes, DROP COLUMN max_website_pages;
    `);
  }
}
