import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { KnowledgeBase } from '../entities/knowledge.entities.js';
import { baseMarker } from '../ingestion/ingestion.repository.js';
import { TEXT_SEARCH_CONFIGS } from '../knowledge.types.js';
import {
  candidateQuery,
  MAX_CANDIDATES,
  quoteLexeme,
  rarity,
  weighWords,
  type QueryWord,
} from './search-words.js';

/** Of D, C, B and A, as `ts_rank` takes them: text, nothing, headings, title. */
const WEIGHTS = '{0.3, 0.3, 0.6, 1}';
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
type Row = Omit<FoundChunk, 'coverage'> & { covered: number };

/** Full text search in the chunks of a base, ranked by the rarity of the words and where they stand. */
@Injectable()
export class KnowledgeSearchService {
  constructor(private readonly db: DataSource) {}

  /** The best ones first. */
  async search({ id, language }: SearchedBase, query: string, limit: number): Promise<FoundChunk[]> {
    const config = TEXT_SEARCH_CONFIGS[language];
    const { words, total } = await this.readWords(id, config, query);
    const unknown = words.filter(({ chunks }) => chunks === 0).map(({ lexeme }) => lexeme);
    const spellings = unknown.length > 0 && total > 0 ? await this.readSpellings(id, unknown) : [];
    const weighted = weighWords(words, spellings, total);
    if (weighted.length === 0) return [];
    const chunksByLexeme = new Map([...spellings, ...words].map(({ lexeme, chunks }) => [lexeme, chunks]));
    const chunksOf = (lexeme: string): number => chunksByLexeme.get(lexeme) ?? 0;
    const candidates = candidateQuery(baseMarker(id), weighted, chunksOf, total);
    const [, phrase = null] = PHRASE.exec(query) ?? [];
    const rows = (await this.db.query(SEARCH_SQL, [
      candidates,
      weighted.map(({ lexeme }) => quoteLexeme(lexeme)),
      weighted.map(({ weight }) => weight),
      config,
      phrase,
      limit,
      weighted.map(({ lexeme }) => lexeme),
      id,
    ])) as Row[];
    const wanted = words.reduce((sum, { chunks }) => sum + rarity(chunks, total), 0);
    return rows.map(({ covered, ...row }) => ({ ...row, coverage: Math.min(1, covered / wanted) }));
  }

  private async readWords(
    id: number,
    config: string,
    query: string,
  ): Promise<{ words: QueryWord[]; total: number }> {
    const rows = (await this.db.query(
      `SELECT word.lexeme, coalesce(sum(term.chunks), 0)::int AS chunks,
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
}

/** `OFFSET 0` keeps the words of a chunk unpacked while they are compared with each word of the query. */
const SEARCH_SQL = `
  SELECT found.document_id AS "documentId", document.name AS "documentName", found.seq, chunk.title, chunk.headings,
         chunk.page, chunk.url, chunk.text, found.score, found.covered, found.words
    FROM (
      SELECT candidate.document_id, candidate.seq, ranked.*
        FROM (SELECT document_id, seq, search || ''::tsvector AS search
                FROM knowledge_chunks
               WHERE search @@ $1::tsquery
                 AND ($5::text IS NULL OR search @@ phraseto_tsquery($4::regconfig, $5))
               LIMIT ${MAX_CANDIDATES * 2} OFFSET 0) candidate
        CROSS JOIN LATERAL (
          SELECT sum(weight * rank) AS score, sum(weight) FILTER (WHERE rank > 0) AS covered,
                 array_agg(lexeme ORDER BY weight DESC, lexeme) FILTER (WHERE rank > 0) AS words
            FROM (SELECT lexeme, weight, ts_rank('${WEIGHTS}', candidate.search, single::tsquery, 1) AS rank
                    FROM unnest($2::text[], $3::float8[], $7::text[]) AS wanted (single, weight, lexeme)
                 ) ranks) ranked
       ORDER BY ranked.score DESC, candidate.document_id, candidate.seq LIMIT $6) found
    JOIN knowledge_chunks chunk ON chunk.document_id = found.document_id AND chunk.seq = found.seq
     AND chunk.knowledge_base_id = $8
    JOIN knowledge_documents document ON document.id = found.document_id
   ORDER BY found.score DESC, found.document_id, found.seq`;
