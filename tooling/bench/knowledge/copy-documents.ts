import type { Pool } from 'pg';

/** Copies the documents of a base until it has so many chunks. @returns how many it has */
export async function copyDocuments(pool: Pool, baseId: number, chunks: number): Promise<number> {
  const { rows: documents } = await pool.query<{ id: number; chunks: number }>(
    'SELECT id, chunks_count AS chunks FROM knowledge_documents WHERE knowledge_base_id = $1 ORDER BY id',
    [baseId],
  );
  let total = documents.reduce((sum, document) => sum + document.chunks, 0);
  if (total === 0) throw new Error('the base has no chunks');
  for (let next = 0; total < chunks; next++) {
    const document = documents[next % documents.length];
    await pool.query(COPY, [document?.id, next]);
    total += document?.chunks ?? 0;
  }
  return total;
}

const COPY = `
  WITH copy AS (
    INSERT INTO knowledge_documents (account_id, knowledge_base_id, name, type, state, chunks_count)
    SELECT account_id, knowledge_base_id, name || ' copy ' || $2::int, type, state, chunks_count
      FROM knowledge_documents WHERE id = $1 RETURNING id),
  terms AS (
    INSERT INTO knowledge_terms (document_id, lexeme, knowledge_base_id, chunks, postings)
    SELECT copy.id, lexeme, knowledge_base_id, chunks, postings FROM knowledge_terms, copy WHERE document_id = $1)
  INSERT INTO knowledge_chunks (document_id, seq, knowledge_base_id, title, text, headings, page, url, search)
  SELECT copy.id, seq, knowledge_base_id, title, text, headings, page, url, search
    FROM knowledge_chunks, copy WHERE document_id = $1`;
