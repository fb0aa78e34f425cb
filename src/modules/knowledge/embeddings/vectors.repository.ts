import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { describeError } from '#src/common/errors/describe-error.js';
import { SECTION } from '../ingestion/ingestion.repository.js';
import { BoundedCache } from '../retrieval/bounded-cache.js';
import type { BaseState } from '../retrieval/postings.repository.js';
import { emptyVectors, setVector, type ActiveIndex, type BaseVectors } from './vectors.js';

/** Of a process: four bases of 20,000 passages with 1,536 numbers each. */
const MAX_CACHE_BYTES = 160 * 1024 * 1024;
/** Numbers of a base: 20,000 passages with 1,536 each. A larger base is searched by full text alone. */
const MAX_VALUES = 20_000 * 1_536;
/** Rows of one statement, with 32 vectors each. */
const ROWS = 32;

/** Vectors of bases in memory, read again after each change of the base. */
@Injectable()
export class VectorsRepository {
  private readonly logger = new Logger(VectorsRepository.name);
  private readonly cache = new BoundedCache<BaseVectors>(MAX_CACHE_BYTES);
  private readonly reading = new Map<string, Promise<BaseVectors | null>>();

  constructor(private readonly db: DataSource) {}

  /** Null: they are being read, which takes longer than a search has, or are too many. */
  take(base: BaseState, index: ActiveIndex): BaseVectors | null {
    const key = `${index.id}/${base.revision}`;
    const known = this.cache.get(key);
    if (known) return known;
    void this.load(base, index);
    return null;
  }

  /** Null: they are too many, or cannot be read. */
  load(base: BaseState, index: ActiveIndex): Promise<BaseVectors | null> {
    const key = `${index.id}/${base.revision}`;
    let reading = this.reading.get(key);
    if (!reading) {
      reading = this.read(base, index)
        .then((vectors) => {
          if (vectors) this.cache.set(key, vectors);
          return vectors;
        })
        .catch((error: unknown) => {
          this.logger.warn('The vectors of a knowledge base were not read', describeError(error));
          return null;
        })
        .finally(() => this.reading.delete(key));
      this.reading.set(key, reading);
    }
    return reading;
  }

  private async read({ id, places }: BaseState, index: ActiveIndex): Promise<BaseVectors | null> {
    if (places.total * index.dimensions > MAX_VALUES) return null;
    const vectors = emptyVectors(places.total, index.dimensions);
    const starts = (await this.db.query(
      `SELECT document_id AS "documentId", min(seq) AS first, max(seq) AS last
         FROM knowledge_documents document JOIN knowledge_chunks chunk ON chunk.document_id = document.id
        WHERE document.knowledge_base_id = $1 GROUP BY document_id, ${SECTION}`,
      [id],
    )) as { documentId: number; first: number; last: number }[];
    for (const { documentId, first, last } of starts) {
      const from = places.placeOf(documentId, first);
      const to = places.placeOf(documentId, last);
      if (from !== null && to !== null) vectors.sections.fill(from, from, to + 1);
    }
    let after = { documentId: 0, seq: 0 };
    for (;;) {
      const rows = (await this.db.query(
        `SELECT document_id AS "documentId", seq, vectors FROM knowledge_vectors
          WHERE index_id = $1 AND (document_id, seq) > ($2, $3) ORDER BY document_id, seq LIMIT ${ROWS}`,
        [index.id, after.documentId, after.seq],
      )) as { documentId: number; seq: number; vectors: Buffer }[];
      for (const { documentId, seq, vectors: bytes } of rows) {
        const count = bytes.length / index.dimensions;
        for (let next = 0; next < count; next++) {
          const place = places.placeOf(documentId, seq + next);
          const from = next * index.dimensions;
          if (place !== null)
            setVector(vectors, place, new Int8Array(bytes.buffer, bytes.byteOffset + from, index.dimensions));
        }
      }
      const last = rows.at(-1);
      if (!last || rows.length < ROWS) return vectors;
      after = last;
    }
  }
}
