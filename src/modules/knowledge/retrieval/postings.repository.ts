import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TEXT_SEARCH_CONFIGS } from '../knowledge.types.js';
import type { KnowledgeBase } from '../entities/knowledge.entities.js';
import { searchedText } from '../searched-text.js';
import type { ActiveIndex } from '../embeddings/vectors.js';
import { BoundedCache } from './bounded-cache.js';
import { NO_POSTINGS, Places, readPostings, type Postings } from './postings.js';
import { similarWords, type QueryWord } from './search-words.js';

/** Of a process; a word that 4,000 chunks have takes 64 kB. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/** Words of a query whose spellings are looked for: each takes as long as the rest of a search. */
const MAX_MISSPELT = 8;

export type SearchedBase = Pick<KnowledgeBase, 'id' | 'language'>;

/** A base as it is at a revision. */
export interface BaseState {
  id: number;
  revision: number;
  places: Places;
  /** The vectors that are searched; null: there are none. */
  index: ActiveIndex | null;
}

/** The lexemes of a query with the state of the base. */
export interface ReadQuery {
  base: BaseState;
  lexemes: string[];
}

interface KnownWord {
  chunks: number;
  /** Null: read when the word is compared. */
  postings: Postings | null;
  bytes: number;
}

interface Spellings {
  words: QueryWord[];
  bytes: number;
}

/**
 * Words of bases with the chunks that have them. What was read is kept until the base has another revision: most words of
 * a question were asked before.
 */
@Injectable()
export class PostingsRepository {
  private readonly places = new BoundedCache<Places>(MAX_CACHE_BYTES / 8);
  private readonly words = new BoundedCache<KnownWord>(MAX_CACHE_BYTES);
  private readonly spellings = new BoundedCache<Spellings>(MAX_CACHE_BYTES / 8);

  constructor(private readonly db: DataSource) {}

  /** Null: the base is deleted. */
  async readQuery({ id, language }: SearchedBase, query: string): Promise<ReadQuery | null> {
    const [row] = (await this.db.query(
      `SELECT base.revision, tsvector_to_array(to_tsvector($2::regconfig, $3)) AS lexemes, vectors.id AS "indexId",
              vectors.model, vectors.wanted_dimensions AS "wantedDimensions", vectors.dimensions
         FROM knowledge_bases base
         LEFT JOIN knowledge_vector_indexes vectors ON vectors.knowledge_base_id = base.id
          AND vectors.state = 'active' AND vectors.dimensions IS NOT NULL
        WHERE base.id = $1`,
      [id, TEXT_SEARCH_CONFIGS[language], searchedText(query)],
    )) as (Omit<ActiveIndex, 'id'> & { revision: number; lexemes: string[]; indexId: number | null })[];
    if (!row) return null;
    const { revision, lexemes, indexId, ...model } = row;
    const index = indexId === null ? null : { id: indexId, ...model };
    return { base: { id, revision, places: await this.readPlaces(id, revision), index }, lexemes };
  }

  /** In how many chunks each word stands. */
  async countChunks(base: BaseState, lexemes: readonly string[]): Promise<QueryWord[]> {
    const unknown = lexemes.filter((lexeme) => !this.words.get(keyOf(base, lexeme)));
    const counted = new Map<string, number>();
    if (unknown.length > 0) {
      const rows = (await this.db.query(
        `SELECT lexeme, sum(chunks)::int AS chunks FROM knowledge_terms
          WHERE knowledge_base_id = $1 AND lexeme = ANY($2::text[]) GROUP BY lexeme`,
        [base.id, unknown],
      )) as QueryWord[];
      for (const { lexeme, chunks } of rows) counted.set(lexeme, chunks);
    }
    return lexemes.map((lexeme) => {
      const known = this.words.get(keyOf(base, lexeme));
      const chunks = known?.chunks ?? counted.get(lexeme) ?? 0;
      if (!known) this.words.set(keyOf(base, lexeme), { chunks, postings: null, bytes: 100 });
      return { lexeme, chunks };
    });
  }

  /** By word: similar ones of the base. @param unknown words that it does not have; of many the longest */
  async readSpellings(base: BaseState, unknown: readonly string[]): Promise<Map<string, QueryWord[]>> {
    const words = unknown.toSorted((a, b) => b.length - a.length).slice(0, MAX_MISSPELT);
    const missing = words.filter((word) => !this.spellings.get(keyOf(base, word)));
    const rows = missing.length > 0 ? await this.readCandidates(base.id, missing) : [];
    for (const word of missing) {
      const own = similarWords(
        word,
        rows.filter((row) => row.word === word).map(({ lexeme, chunks }) => ({ lexeme, chunks })),
      );
      this.spellings.set(keyOf(base, word), { words: own, bytes: 500 });
    }
    return new Map(words.map((word) => [word, this.spellings.get(keyOf(base, word))?.words ?? []]));
  }

  /** Words of the base that begin like one of these, or with the same letter and are about as long. */
  private async readCandidates(id: number, words: string[]): Promise<(QueryWord & { word: string })[]> {
    return this.db.query(
      `SELECT word, term.lexeme, sum(term.chunks)::int AS chunks
         FROM unnest($2::text[]) word
         JOIN knowledge_terms term ON term.knowledge_base_id = $1
          AND term.lexeme >= left(word, 1) COLLATE "C" AND term.lexeme < left(word, 1) || U&'\\+01F000' COLLATE "C"
          AND (abs(length(term.lexeme) - length(word)) <= 2 OR starts_with(term.lexeme, word))
        WHERE length(word) >= 5 OR (length(word) >= 3 AND starts_with(term.lexeme, word))
        GROUP BY word, term.lexeme`,
      [id, words],
    );
  }

  /** In the order of the words. */
  async readPostings(base: BaseState, words: readonly QueryWord[]): Promise<Postings[]> {
    const found = new Map<string, Postings>();
    for (const { lexeme } of words) {
      const postings = this.words.get(keyOf(base, lexeme))?.postings;
      if (postings) found.set(lexeme, postings);
    }
    const missing = words.filter(({ lexeme }) => !found.has(lexeme));
    if (missing.length > 0) {
      const rows = (await this.db.query(
        `SELECT lexeme, document_id AS "documentId", postings FROM knowledge_terms
          WHERE knowledge_base_id = $1 AND lexeme = ANY($2::text[]) ORDER BY document_id`,
        [base.id, missing.map(({ lexeme }) => lexeme)],
      )) as { lexeme: string; documentId: number; postings: Buffer }[];
      for (const { lexeme, chunks } of missing) {
        const own = rows.filter((row) => row.lexeme === lexeme);
        const postings = readPostings(own, base.places);
        found.set(lexeme, postings);
        this.words.set(keyOf(base, lexeme), { chunks, postings, bytes: postings.bytes + 100 });
      }
    }
    return words.map(({ lexeme }) => found.get(lexeme) ?? NO_POSTINGS);
  }

  private async readPlaces(id: number, revision: number): Promise<Places> {
    const key = `${id}/${revision}`;
    const known = this.places.get(key);
    if (known) return known;
    const documents = (await this.db.query(
      `SELECT id, chunks_count AS chunks FROM knowledge_documents
        WHERE knowledge_base_id = $1 AND chunks_count > 0 ORDER BY id`,
      [id],
    )) as { id: number; chunks: number }[];
    const places = new Places(documents);
    this.places.set(key, places);
    return places;
  }
}

/** Words of older revisions are not found again, and go in time. */
const keyOf = ({ id, revision }: BaseState, lexeme: string): string => `${id}/${revision}/${lexeme}`;
