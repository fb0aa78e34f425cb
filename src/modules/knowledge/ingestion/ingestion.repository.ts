import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import { toStorable } from '#src/common/persistence/storable.js';
import type { JobRow } from '#src/queue/job-queue.js';
import {
  KnowledgeChunk,
  KnowledgeDocument,
  KnowledgeFile,
  KnowledgeTerm,
} from '../entities/knowledge.entities.js';
import { EmbeddingsService } from '../embeddings/embeddings.service.js';
import { VectorIndexesRepository } from '../embeddings/vector-indexes.repository.js';
import { TEXT_SEARCH_CONFIGS, type KnowledgeLanguage } from '../knowledge.types.js';
import { IMPACT_SCALE } from '../retrieval/postings.js';
import { searchedText } from '../searched-text.js';

const LEASE_SECONDS = 60;
export const LEASE_RENEWAL_MS = 15_000;
/** Chunks of one statement: they are made ready without a pause, which takes some milliseconds. */
const BATCH = 100;

/** What is found as one: a part of a document with the place where it stands. */
export interface NewChunk {
  title: string | null;
  text: string;
  headings: string[];
  page: number | null;
  url: string | null;
}

export type ClaimedDocument = Pick<
  KnowledgeDocument,
  | 'id'
  | 'accountId'
  | 'knowledgeBaseId'
  | 'name'
  | 'type'
  | 'links'
  | 'relativeLinksLimit'
  | 'sizeBytes'
  | 'claims'
  | 'attempts'
>;

/**
 * Documents that wait to be processed. Of the processes that work on one only that with the latest claim writes, and it
 * writes the result in one transaction: a document has all of its chunks or those that it had before.
 */
@Injectable()
export class IngestionRepository {
  private readonly rows: LeasedRows<Lease & { id: number }>;

  constructor(
    private readonly db: DataSource,
    private readonly embeddings: EmbeddingsService,
    private readonly vectors: VectorIndexesRepository,
  ) {
    this.rows = new LeasedRows(db, {
      table: 'knowledge_documents',
      due: 'due_at',
      waiting: 'due_at IS NOT NULL',
      seconds: LEASE_SECONDS,
      counter: 'claims',
    });
  }

  findDue(limit: number): Promise<JobRow[]> {
    return this.rows.read(limit);
  }

  /** Null: not due, leased elsewhere, processed or deleted. */
  async claim(id: number): Promise<ClaimedDocument | null> {
    const [lease] = await this.rows.claim([id]);
    if (!lease) return null;
    const mine = { id, claims: lease.claim };
    await this.db.manager.update(KnowledgeDocument, mine, { attempts: () => 'attempts + 1' });
    return this.db.manager.findOneBy(KnowledgeDocument, mine);
  }

  async renew({ id, claims }: ClaimedDocument): Promise<void> {
    await this.rows.renew([{ id, claim: claims }]);
  }

  async retryLater({ id, claims }: ClaimedDocument, seconds: number): Promise<void> {
    await this.rows.release({ id, claim: claims }, seconds);
  }

  /** Null: the file is gone with its document. */
  async findFile(documentId: number): Promise<Buffer | null> {
    const file = await this.db.manager.findOneBy(KnowledgeFile, { documentId });
    return file?.content ?? null;
  }

  /** Replaces the document's chunks; nothing changes when the claim was lost. @param sizeBytes of the text */
  async activate(document: ClaimedDocument, chunks: readonly NewChunk[], sizeBytes: number): Promise<void> {
    await this.finish(document, async (tx, language) => {
      await tx.delete(KnowledgeChunk, { documentId: document.id });
      await tx.delete(KnowledgeTerm, { documentId: document.id });
      for (let from = 0; from < chunks.length; from += BATCH)
        await insertChunks(tx, document, language, chunks.slice(from, from + BATCH), from);
      await insertTerms(tx, document);
      const { model } = this.embeddings;
      if (model) await this.vectors.request(model, document.knowledgeBaseId, tx);
      return {
        state: 'active',
        failure: null,
        chunksCount: chunks.length,
        ...(document.type === 'website' && { sizeBytes }),
      };
    });
  }

  /** A website that was read before keeps the chunks that it had. */
  async fail(document: ClaimedDocument, failure: string): Promise<void> {
    await this.finish(document, async () => ({ state: 'failed', failure }));
  }

  private async finish(
    { id, claims, knowledgeBaseId }: ClaimedDocument,
    write: (tx: EntityManager, language: KnowledgeLanguage) => Promise<Partial<KnowledgeDocument>>,
  ): Promise<void> {
    await this.db.transaction(async (tx) => {
      const [held] = (await tx.query(
        `SELECT base.language FROM knowledge_documents document
           JOIN knowledge_bases base ON base.id = document.knowledge_base_id
          WHERE document.id = $1 AND document.claims = $2 AND document.due_at IS NOT NULL AND base.id = $3
            FOR NO KEY UPDATE OF document`,
        [id, claims, knowledgeBaseId],
      )) as { language: KnowledgeLanguage }[];
      if (!held) return;
      const result = await write(tx, held.language);
      await tx.update(KnowledgeDocument, { id }, { ...result, dueAt: null });
      await tx.delete(KnowledgeFile, { documentId: id });
    });
  }
}

/** A word that no text has: a search reads the chunks of one base only, without an index for each. */
export const baseMarker = (baseId: number): string => `#${baseId}`;

async function insertChunks(
  tx: EntityManager,
  { id, knowledgeBaseId }: ClaimedDocument,
  language: KnowledgeLanguage,
  chunks: readonly NewChunk[],
  from: number,
): Promise<void> {
  const rows = chunks.map((chunk, index) => ({
    ...chunk,
    seq: from + index + 1,
    searched: [chunk.title ?? '', chunk.headings.join('. '), chunk.text].map(searchedText),
  }));
  await tx.query(
    `INSERT INTO knowledge_chunks (document_id, seq, knowledge_base_id, title, text, headings, page, url, search)
     SELECT $1, seq, $2, title, text, headings, page, url,
            array_to_tsvector(ARRAY[$3])
              || setweight(to_tsvector($4::regconfig, searched[1]), 'A')
              || setweight(to_tsvector($4::regconfig, searched[2]), 'B')
              || to_tsvector($4::regconfig, searched[3])
       FROM jsonb_to_recordset($5)
         AS chunk (seq int, title text, text text, headings text[], page int, url text, searched text[])`,
    [
      id,
      knowledgeBaseId,
      baseMarker(knowledgeBaseId),
      TEXT_SEARCH_CONFIGS[language],
      JSON.stringify(toStorable(rows)),
    ],
  );
}

/** Of a chunk, as SQL: a page of a website, or 20 passages in a row of a file. */
export const SECTION = 'coalesce(url, ((seq - 1) / 20)::text)';

/** The part of BM25 without the rarity of the word. @param usual different words of a text of usual length */
const impact = (frequency: string, words: string, usual: number): string =>
  `(${IMPACT_SCALE} * 2.2 * ${frequency} / (${frequency} + 1.2 * (0.4 + 0.6 * ${words} / ${usual}.0)))::int2`;

/** The chunks of each word with how much it counts in the chunk and in its section; `readPostings` reads them. */
async function insertTerms(tx: EntityManager, { id, knowledgeBaseId }: ClaimedDocument): Promise<void> {
  await tx.query(
    `INSERT INTO knowledge_terms (document_id, lexeme, knowledge_base_id, chunks, postings)
     WITH chunks AS (
       SELECT seq, search, length(search) AS words,
              min(seq) OVER (PARTITION BY ${SECTION}) AS section
         FROM knowledge_chunks WHERE document_id = $1),
     counted AS (
       SELECT seq, section, words, word.lexeme,
              3 * cardinality(array_positions(word.weights, 'A'))
                + 2 * cardinality(array_positions(word.weights, 'B')) AS above,
              cardinality(array_positions(word.weights, 'D')) AS inside
         FROM chunks, unnest(search) word WHERE word.lexeme <> $3),
     sections AS (
       SELECT section, lexeme, max(above) + sum(inside) AS frequency, count(*) OVER (PARTITION BY section) AS words
         FROM counted GROUP BY section, lexeme)
     SELECT $1, lexeme, $2, count(*),
            string_agg(int4send(seq) || int2send((seq - section)::int2)
              || int2send(${impact('(above + inside)', 'counted.words', 100)})
              || int2send(${impact('frequency', 'sections.words', 200)}), '' ORDER BY seq)
       FROM counted JOIN sections USING (section, lexeme)
      GROUP BY lexeme`,
    [id, knowledgeBaseId, baseMarker(knowledgeBaseId)],
  );
}
