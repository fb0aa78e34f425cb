import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import { KnowledgeVectorIndex } from '../entities/knowledge-vectors.entities.js';
import { EmbeddingsError, type VectorModel } from './embeddings.service.js';

/** Longer than the time limit of a request, several times. */
const LEASE_SECONDS = 120;
/** Passages of a request, in one row. */
export const BATCH = 32;
/** More than 400 words have: data, which no model reads whole. */
const MAX_CHARACTERS = 6_000;

export interface Passages {
  documentId: number;
  /** Of the first one. */
  seq: number;
  texts: string[];
  /** Of the stored texts: they may be replaced while their vectors are computed. */
  hash: string;
}

/** Vectors of bases that are not complete. The processes that work on one may lose it: a batch is stored once. */
@Injectable()
export class VectorIndexesRepository {
  private readonly rows: LeasedRows<Lease & { id: number }>;

  constructor(private readonly db: DataSource) {
    this.rows = new LeasedRows(db, {
      table: 'knowledge_vector_indexes',
      due: 'due_at',
      waiting: 'due_at IS NOT NULL',
      seconds: LEASE_SECONDS,
      counter: 'claims',
    });
  }

  findDue(limit: number): Promise<JobRow[]> {
    return this.rows.read(limit);
  }

  /** Null: not due, leased elsewhere, or deleted. */
  async claim(id: number): Promise<KnowledgeVectorIndex | null> {
    const [lease] = await this.rows.claim([id]);
    if (!lease) return null;
    return this.db.manager.findOneBy(KnowledgeVectorIndex, { id, claims: lease.claim });
  }

  async renew({ id, claims }: KnowledgeVectorIndex): Promise<void> {
    await this.rows.renew([{ id, claim: claims }]);
  }

  async release(
    { id, claims }: KnowledgeVectorIndex,
    seconds: number,
    failure: string | null,
  ): Promise<void> {
    const columns = failure === null ? {} : { failure };
    await this.rows.release({ id, claim: claims }, seconds, columns);
  }

  async countAttempt({ id, claims }: KnowledgeVectorIndex): Promise<void> {
    await this.db.manager.increment(KnowledgeVectorIndex, { id, claims }, 'attempts', 1);
  }

  /** Of another model than the settings': it is searched until the new one is complete, and gets no more vectors. */
  async rest({ id, claims }: KnowledgeVectorIndex): Promise<void> {
    await this.db.manager.update(KnowledgeVectorIndex, { id, claims }, { dueAt: null });
  }

  /** Has the bases' passages embedded by this model, as far as they are not. @param baseId null: all bases */
  async request(
    { model, wantedDimensions }: VectorModel,
    baseId: number | null,
    tx: EntityManager = this.db.manager,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO knowledge_vector_indexes (account_id, knowledge_base_id, model, wanted_dimensions, due_at)
       SELECT account_id, id, $1, $2, now() FROM knowledge_bases WHERE id = $3 OR $3 IS NULL
           ON CONFLICT (knowledge_base_id, model, wanted_dimensions) DO UPDATE SET due_at = now(), attempts = 0`,
      [model, wantedDimensions, baseId],
    );
  }

  /** Passages without a vector, at most `limit` batches. */
  async findMissing(
    { id, knowledgeBaseId }: KnowledgeVectorIndex,
    limit: number,
    tx: EntityManager = this.db.manager,
  ): Promise<Pick<Passages, 'documentId' | 'seq'>[]> {
    return tx.query(
      `SELECT chunk.document_id AS "documentId", chunk.seq
         FROM knowledge_documents document
         JOIN knowledge_chunks chunk ON chunk.document_id = document.id AND (chunk.seq - 1) % ${BATCH} = 0
        WHERE document.knowledge_base_id = $2
          AND NOT EXISTS (SELECT FROM knowledge_vectors stored WHERE stored.index_id = $1
                             AND stored.document_id = chunk.document_id AND stored.seq = chunk.seq)
        ORDER BY chunk.document_id, chunk.seq LIMIT $3`,
      [id, knowledgeBaseId, limit],
    );
  }

  /** Null: they are gone. */
  async readPassages({ documentId, seq }: Pick<Passages, 'documentId' | 'seq'>): Promise<Passages | null> {
    const [row] = (await this.db.query(
      `SELECT array_agg(left(concat_ws(E'\\n', title, nullif(array_to_string(headings, ' > '), ''), text), ${MAX_CHARACTERS})
                        ORDER BY seq) AS texts,
              ${HASH} AS hash
         FROM knowledge_chunks WHERE document_id = $1 AND seq >= $2 AND seq < $2 + ${BATCH}`,
      [documentId, seq],
    )) as Pick<Passages, 'texts' | 'hash'>[];
    return row?.texts ? { documentId, seq, ...row } : null;
  }

  /** Nothing is stored when the texts have changed. @throws EmbeddingsError when the vectors are of another length */
  async store(
    index: KnowledgeVectorIndex,
    { documentId, seq, hash }: Passages,
    vectors: readonly Int8Array[],
  ): Promise<void> {
    const dimensions = vectors[0]?.length ?? 0;
    await this.db.transaction(async (tx) => {
      const [rows]: [{ dimensions: number }[], number] = await tx.query(
        `UPDATE knowledge_vector_indexes SET dimensions = coalesce(dimensions, $2) WHERE id = $1 RETURNING dimensions`,
        [index.id, dimensions],
      );
      const [row] = rows;
      if (row && row.dimensions !== dimensions)
        throw new EmbeddingsError(
          `The endpoint returns vectors of ${dimensions} numbers instead of ${row.dimensions}`,
          false,
        );
      await tx.query(
        `INSERT INTO knowledge_vectors (index_id, document_id, seq, vectors)
         SELECT $1, $2, $3, $4 WHERE $5 = (
           SELECT ${HASH} FROM knowledge_chunks WHERE document_id = $2 AND seq >= $3 AND seq < $3 + ${BATCH})
             ON CONFLICT DO NOTHING`,
        [index.id, documentId, seq, Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer))), hash],
      );
    });
  }

  /** The index is searched from now on, in place of others. False: passages are still missing, or the claim is lost. */
  finish(index: KnowledgeVectorIndex): Promise<boolean> {
    const { id, claims, knowledgeBaseId } = index;
    return this.db.transaction(async (tx) => {
      // A document that becomes active now waits, and has the index due again then.
      await tx.query('SELECT FROM knowledge_bases WHERE id = $1 FOR NO KEY UPDATE', [knowledgeBaseId]);
      if ((await this.findMissing(index, 1, tx)).length > 0) return false;
      const [held] = await tx.find(KnowledgeVectorIndex, { select: { id: true }, where: { id, claims } });
      if (!held) return false;
      await tx.query('DELETE FROM knowledge_vector_indexes WHERE knowledge_base_id = $1 AND id <> $2', [
        knowledgeBaseId,
        id,
      ]);
      const done = { state: 'active', dueAt: null, failure: null, attempts: 0 } as const;
      const { affected } = await tx.update(KnowledgeVectorIndex, { id, claims }, done);
      await tx.query('UPDATE knowledge_bases SET revision = revision + 1 WHERE id = $1', [knowledgeBaseId]);
      return affected === 1;
    });
  }
}

const HASH =
  "md5(string_agg(concat_ws(E'\\n', title, array_to_string(headings, ' > '), text), E'\\n' ORDER BY seq))";
