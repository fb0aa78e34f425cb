import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much a word counts in the section of a chunk, too, and a number that tells what of a base has been read. */
export class KnowledgeSections20261128000100 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE knowledge_bases ADD COLUMN revision int NOT NULL DEFAULT 0;
      DELETE FROM knowledge_terms;
      ALTER TABLE knowledge_terms DROP COLUMN seqs, DROP COLUMN impacts, ADD COLUMN postings bytea NOT NULL;
      INSERT INTO knowledge_terms (document_id, lexeme, knowledge_base_id, chunks, postings)
      WITH chunks AS (
        SELECT document_id, knowledge_base_id, seq, search, length(search) AS words,
               min(seq) OVER (PARTITION BY document_id, coalesce(url, ((seq - 1) / 20)::text)) AS section
          FROM knowledge_chunks),
      counted AS (
        SELECT document_id, knowledge_base_id, seq, section, words, word.lexeme,
               3 * cardinality(array_positions(word.weights, 'A'))
                 + 2 * cardinality(array_positions(word.weights, 'B')) AS above,
               cardinality(array_positions(word.weights, 'D')) AS inside
          FROM chunks, unnest(search) word WHERE word.lexeme <> '#' || knowledge_base_id),
      sections AS (
        SELECT document_id, section, lexeme, max(above) + sum(inside) AS frequency,
               count(*) OVER (PARTITION BY document_id, section) AS words
          FROM counted GROUP BY document_id, section, lexeme)
      SELECT document_id, lexeme, knowledge_base_id, count(*),
             string_agg(int4send(seq) || int2send((seq - section)::int2)
               || int2send((10000 * 2.2 * (above + inside)
                    / ((above + inside) + 1.2 * (0.4 + 0.6 * counted.words / 100.0)))::int2)
               || int2send((10000 * 2.2 * frequency
                    / (frequency + 1.2 * (0.4 + 0.6 * sections.words / 200.0)))::int2), '' ORDER BY seq)
        FROM counted JOIN sections USING (document_id, section, lexeme)
       GROUP BY document_id, knowledge_base_id, lexeme;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP FUNCTION IF EXISTS count_revisions() CASCADE;
      ALTER TABLE knowledge_bases DROP COLUMN revision;
      DELETE FROM knowledge_terms;
      ALTER TABLE knowledge_terms DROP COLUMN postings, ADD COLUMN seqs int[] NOT NULL, ADD COLUMN impacts real[] NOT NULL;
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
}
