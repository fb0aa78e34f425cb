import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Vectors of passages, by base and model. */
export class KnowledgeVectors20261128000200 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE knowledge_vector_indexes (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        knowledge_base_id int NOT NULL REFERENCES knowledge_bases ON DELETE CASCADE,
        model text NOT NULL,
        wanted_dimensions int NOT NULL,
        dimensions int,
        state text NOT NULL DEFAULT 'building' CHECK (state IN ('building', 'active')),
        failure text,
        due_at timestamptz,
        claims int NOT NULL DEFAULT 0,
        attempts int NOT NULL DEFAULT 0
      );
      CREATE UNIQUE INDEX knowledge_vector_indexes_model
        ON knowledge_vector_indexes (knowledge_base_id, model, wanted_dimensions);
      CREATE UNIQUE INDEX knowledge_vector_indexes_active
        ON knowledge_vector_indexes (knowledge_base_id) WHERE state = 'active';
      CREATE INDEX knowledge_vector_indexes_due ON knowledge_vector_indexes (account_id, due_at, id)
        WHERE due_at IS NOT NULL;

      CREATE TABLE knowledge_vectors (
        index_id int NOT NULL REFERENCES knowledge_vector_indexes ON DELETE CASCADE,
        document_id int NOT NULL,
        seq int NOT NULL,
        vectors bytea NOT NULL,
        PRIMARY KEY (index_id, document_id, seq),
        FOREIGN KEY (document_id, seq) REFERENCES knowledge_chunks ON DELETE CASCADE
      );
      CREATE INDEX knowledge_vectors_chunk ON knowledge_vectors (document_id, seq);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE knowledge_vectors, knowledge_vector_indexes;');
  }
}
