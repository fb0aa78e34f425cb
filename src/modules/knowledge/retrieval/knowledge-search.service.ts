import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { KnowledgeBase } from '../entities/knowledge.entities.js';
import { baseMarker, MAX_CHUNKS_OF_TERM } from '../ingestion/ingestion.repository.js';
import { TEXT_SEARCH_CONFIGS } from '../knowledge.types.js';
import {
  comparedWords,
  MAX_COMPARED,
  rarity,
  weighWords,
  type QueryWord,
  type WeightedWord,
} from './search-words.js';

/** A quoted part of a query, which has to stand so in the text. */
const PHRASE = /["“„]([^"“”„]+)["”“]/;

export interface FoundChunk {
  documentId: number;
  documentName: string;
  seq: number;
  title: string | null;
  headings: string[];
  page: number | null;
  url: string | null;
  text: string;
  /** Only comparable within one search. */
  score: number;
  /** How much of the query stands in it, by the rarity of the words; 0–1. */
  coverage: number;
  /** Words of the query that it has, as they are searched, the rarest first. */
  words: string[];
}

type SearchedBase = Pick<KnowledgeBase, 'id' | 'language'>;
/** `words`: a bit for each word of the query that it has, from the lowest. */
type Row = Omit<FoundChunk, 'coverage' | 'words'> & { words: number };

/** Full text search in the chunks of a base, ranked by BM25. */
@Injectable()
export class KnowledgeSearchService {
  constructor(private readonly db: DataSource) {}

  /** The best ones first. */
  async search({ id, language }: SearchedBase, query: string, limit: number): Promise<FoundChunk[]> {
    const config = TEXT_SEARCH_CONFIGS[language];
    const { words, total } = await this.readWords(id, config, query);
    const unknown = words.filter(({ chunks }) => chunks === 0).map(({ lexeme }) => lexeme);
    const spellings = unknown.length > 0 && total > 0 ? await this.readSpellings(id, unknown) : [];
    const searched = comparedWords(weighWords(words, spellings, total));
    if (searched.length === 0) return [];
    const rows = await this.readBest(id, config, searched, PHRASE.exec(query)?.[1] ?? null, limit);
    const wanted = words.reduce((sum, { chunks }) => sum + rarity(chunks, total), 0);
    return rows.map((row) => {
      const has = searched.filter((_, index) => row.words & (1 << index));
      const covered = has.reduce((sum, { weight }) => sum + weight, 0);
      return { ...row, coverage: Math.min(1, covered / wanted), words: has.map(({ lexeme }) => lexeme) };
    });
  }

  private readBest(
    id: number,
    config: string,
    words: readonly WeightedWord[],
    phrase: string | null,
    limit: number,
  ): Promise<Row[]> {
    return this.db.query(phrase === null ? SEARCH_SQL : PHRASE_SQL, [
      id,
      words.map(({ lexeme }) => lexeme),
      words.map(({ weight }) => weight),
      limit,
      ...(phrase === null ? [] : [`'${baseMarker(id)}'`, config, phrase]),
    ]);
  }

  private async readWords(
    id: number,
    config: string,
    query: string,
  ): Promise<{ words: QueryWord[]; total: number }> {
    const rows = (await this.db.query(
      `SELECT word.lexeme, coalesce(sum(term.chunks), 0)::int AS chunks,
              coalesce(sum(least(term.chunks, ${MAX_CHUNKS_OF_TERM})), 0)::int AS compared,
              (SELECT coalesce(sum(chunks_count), 0)::int FROM knowledge_documents
                WHERE knowledge_base_id = $3) AS total
         FROM unnest(to_tsvector($1::regconfig, $2)) word
         LEFT JOIN knowledge_terms term ON term.knowledge_base_id = $3 AND term.lexeme = word.lexeme COLLATE "C"
        GROUP BY word.lexeme`,
      [config, query, id],
    )) as (QueryWord & { total: number })[];
    return { words: rows, total: rows[0]?.total ?? 0 };
  }

  /** Words of the base that begin like one of these, or with the same letter and are about as long. */
  private async readSpellings(id: number, words: string[]): Promise<(QueryWord & { word: string })[]> {
    return this.db.query(
      `SELECT word, term.lexeme, sum(term.chunks)::int AS chunks,
              sum(least(term.chunks, ${MAX_CHUNKS_OF_TERM}))::int AS compared
         FROM unnest($2::text[]) word
         JOIN knowledge_terms term ON term.knowledge_base_id = $1
          AND term.lexeme >= left(word, 1) COLLATE "C" AND term.lexeme < left(word, 1) || U&'\\+01F000' COLLATE "C"
          AND (abs(length(term.lexeme) - length(word)) <= 2 OR starts_with(term.lexeme, word))
        WHERE length(word) >= 5 OR (length(word) >= 3 AND starts_with(term.lexeme, word))
        GROUP BY word, term.lexeme`,
      [id, words],
    );
  }
}

/** The chunks that have words of the query. `unnest` in the list of results costs less than a join for each row. */
const SCORED = `
  SELECT document_id, seq, sum(weight * impact) AS score, bit_or(bit) AS words
    FROM (SELECT term.document_id, unnest(term.seqs) AS seq, unnest(term.impacts) AS impact, wanted.weight,
                 1 << (wanted.place - 1)::int AS bit
            FROM unnest($2::text[], $3::float8[]) WITH ORDINALITY AS wanted (lexeme, weight, place)
            JOIN knowledge_terms term
              ON term.knowledge_base_id = $1 AND term.lexeme = wanted.lexeme COLLATE "C"
           LIMIT ${MAX_COMPARED * 2}) AS compared
   GROUP BY document_id, seq`;

/** The chunks that have a phrase, which may have its words without being one of the first for any of them. */
const QUOTED = `
  SELECT quoted.document_id, quoted.seq, coalesce(scored.score, 0) AS score, coalesce(scored.words, 0) AS words
    FROM (SELECT document_id, seq FROM knowledge_chunks
           WHERE search @@ ($5::tsquery && phraseto_tsquery($6::regconfig, $7))
           LIMIT ${MAX_COMPARED}) AS quoted
    LEFT JOIN (${SCORED}) AS scored ON scored.document_id = quoted.document_id AND scored.seq = quoted.seq`;

const withSources = (ranked: string): string => `
  SELECT found.document_id AS "documentId", document.name AS "documentName", found.seq, chunk.title, chunk.headings,
         chunk.page, chunk.url, chunk.text, found.score, found.words
    FROM (${ranked} ORDER BY score DESC, document_id, seq LIMIT $4) AS found
    JOIN knowledge_chunks chunk ON chunk.document_id = found.document_id AND chunk.seq = found.seq
     AND chunk.knowledge_base_id = $1
    JOIN knowledge_documents document ON document.id = found.document_id
   ORDER BY found.score DESC, found.document_id, found.seq`;

const SEARCH_SQL = withSources(SCORED);
const PHRASE_SQL = withSources(QUOTED);
