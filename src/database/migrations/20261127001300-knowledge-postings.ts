import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of each word of a document, its chunks and how much it counts in them. */
export class KnowledgePostings20261127001300 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      DELETE FROM knowledge_terms;
      ALTER TABLE knowledge_terms ADD COLUMN seqs int[] NOT NULL, ADD COLUMN impacts real[] NOT NULL;
      INSERT INTO knowledge_terms (document_id, lexeme, knowledge_base_id, chunks, seqs, impacts)
      SELECT document_id, lexeme, knowledge_base_id, count(*), (array_agg(seq ORDER BY impact DESC, seq))[:500],
             (array_agg(impact ORDER BY impact DESC, seq))[:500]
        FROM (SELECT chunk.document_id, chunk.knowledge_base_id, chunk.seq, word.lexeme,
                     frequency * 2.2 / (frequency + 1.2 * (0.4 + 0.6 * length(chunk.search) / 100.0)) AS impact
                FROM knowledge_chunks chunk, unnest(chunk.search) word, LATERAL (
                  SELECT 3.0 * cardinality(array_positions(word.weights, 'A'))
                         + 2.0 * cardinality(array_positions(word.weights, 'B'))
                         + cardinality(array_positions(word.weights, 'D')) AS frequency) counted
               WHERE word.lexeme <> '#' || chunk.knowledge_base_id) AS impacts
       GROUP BY document_id, knowledge_base_id, lexeme;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE knowledge_terms DROP COLUMN seqs, DROP COLUMN impacts;');
  }
}
