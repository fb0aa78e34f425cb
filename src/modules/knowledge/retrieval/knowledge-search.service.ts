import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EmbeddingsService } from '../embeddings/embeddings.service.js';
import { fuse, nearest } from '../embeddings/vectors.js';
import { VectorsRepository } from '../embeddings/vectors.repository.js';
import { baseMarker } from '../ingestion/ingestion.repository.js';
import { TEXT_SEARCH_CONFIGS } from '../knowledge.types.js';
import { searchedText } from '../searched-text.js';
import { hasPlace, NO_POSTINGS, type Places } from './postings.js';
import { PostingsRepository, type BaseState, type SearchedBase } from './postings.repository.js';
import { rankPassages, type ScoredPlace } from './rank-passages.js';
import { comparedWords, rarity, weighWords } from './search-words.js';

/** A quoted part of a query, which has to stand so in the text. */
const PHRASE = /["“„«»]([^"“”„«»]+)["”“«»]/;
/** Chunks that have a quoted part; further ones are not found. */
const MAX_QUOTED = 2_000;

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
  /** Cosine of its vector with the question's; null: it was not found by vectors. */
  similarity: number | null;
  /** Words of the query that it has, as they are searched, the rarest first. */
  words: string[];
}

/** So many passages are looked at for one that is found: websites and documents repeat each other. */
const COPIES = 3;

type Source = Omit<FoundChunk, 'score' | 'coverage' | 'similarity' | 'words'>;

/**
 * Search in the chunks of a base: by full text, ranked by BM25 of the chunk and of the section around it, and by vectors
 * where the base has them; then by both scores.
 */
@Injectable()
export class KnowledgeSearchService {
  constructor(
    private readonly db: DataSource,
    private readonly postings: PostingsRepository,
    private readonly embeddings: EmbeddingsService,
    private readonly vectors: VectorsRepository,
  ) {}

  /** The best ones first; one of each section (a page of a website) before a second one of any. */
  async search(searched: SearchedBase, query: string, limit: number): Promise<FoundChunk[]> {
    const read = await this.postings.readQuery(searched, query);
    if (!read || read.base.places.total === 0) return [];
    const { base, lexemes } = read;
    const { total } = base.places;
    const words = await this.postings.countChunks(base, lexemes);
    const unknown = words.filter(({ chunks }) => chunks === 0).map(({ lexeme }) => lexeme);
    const spellings = await this.postings.readSpellings(base, unknown);
    const compared = comparedWords(weighWords(words, spellings, total));
    const similar = this.findSimilar(base, query, limit * COPIES);
    const postings = await this.postings.readPostings(base, compared);
    const quoted = PHRASE.exec(query)?.[1];
    const only = quoted === undefined ? null : await this.readQuoted(base, searched, quoted);
    const weighed = compared.map(({ weight }, index) => ({
      weight,
      postings: postings[index] ?? NO_POSTINGS,
    }));
    const worded = rankPassages(weighed, total, limit * COPIES, only);
    const alike = only ? [] : await similar;
    const { minSimilarity } = this.embeddings;
    const ranked = alike.length === 0 ? worded : fuse(worded, alike, limit * COPIES, minSimilarity);
    const similarities = new Map(alike.map(({ place, score }) => [place, score]));
    if (ranked.length === 0) return [];
    const wanted = words.reduce((sum, { chunks }) => sum + rarity(chunks, total), 0);
    const sources = await this.readSources(
      base,
      ranked.map(({ place }) => place),
      limit,
    );
    return ranked.flatMap(({ place, score }) => {
      const source = sources.get(place);
      // A copy of a better one, or deleted meanwhile.
      if (!source) return [];
      const has = compared.filter((_, index) => hasPlace(postings[index] ?? NO_POSTINGS, place));
      const covered = has.reduce((sum, { weight }) => sum + weight, 0);
      return [
        {
          ...source,
          score,
          coverage: Math.min(1, wanted === 0 ? 0 : covered / wanted),
          similarity: similarities.get(place) ?? null,
          words: has.map(({ lexeme }) => lexeme),
        },
      ];
    });
  }

  /** Empty without an endpoint, when it does not answer in time, and while vectors are being read. */
  private async findSimilar(base: BaseState, query: string, limit: number): Promise<ScoredPlace[]> {
    const { index } = base;
    const vectors = index && this.vectors.take(base, index);
    if (!vectors) return [];
    const question = await this.embeddings.embedQuestion(index, query, index.dimensions);
    if (!question) return [];
    const { minSimilarity } = this.embeddings;
    return nearest(vectors, question, limit).filter(({ score }) => score >= minSimilarity);
  }

  /** Null: the quoted part has no word that is searched. */
  private async readQuoted(
    { id, places }: BaseState,
    { language }: SearchedBase,
    quoted: string,
  ): Promise<Set<number> | null> {
    const phrase = [TEXT_SEARCH_CONFIGS[language], searchedText(quoted)];
    const [row] = (await this.db.query(
      'SELECT numnode(phraseto_tsquery($1::regconfig, $2)) AS words',
      phrase,
    )) as { words: number }[];
    if (!row?.words) return null;
    const rows = (await this.db.query(
      `SELECT document_id AS "documentId", seq FROM knowledge_chunks
        WHERE search @@ ($1::tsquery && phraseto_tsquery($2::regconfig, $3)) LIMIT ${MAX_QUOTED}`,
      [`'${baseMarker(id)}'`, ...phrase],
    )) as { documentId: number; seq: number }[];
    return new Set(rows.map(({ documentId, seq }) => places.placeOf(documentId, seq) ?? -1));
  }

  /** By place, at most `limit`: of passages with the same text the first one. */
  private async readSources(
    { id, places }: BaseState,
    found: readonly number[],
    limit: number,
  ): Promise<Map<number, Source>> {
    if (found.length === 0) return new Map();
    const chunks = found.map((place) => places.chunkAt(place));
    const rows = (await this.db.query(
      `SELECT * FROM (
         SELECT DISTINCT ON (text COLLATE "C") document_id AS "documentId", document.name AS "documentName", seq, title,
                headings, page, url, text, found.rank
           FROM unnest($2::int[], $3::int[]) WITH ORDINALITY AS found (document_id, seq, rank)
           JOIN knowledge_chunks chunk USING (document_id, seq)
           JOIN knowledge_documents document ON document.id = document_id
          WHERE chunk.knowledge_base_id = $1
          ORDER BY text COLLATE "C", found.rank) AS different
        ORDER BY rank LIMIT $4`,
      [id, chunks.map(({ documentId }) => documentId), chunks.map(({ seq }) => seq), limit],
    )) as Source[];
    return new Map(rows.map((row) => [placeIn(places, row), row]));
  }
}

const placeIn = (places: Places, { documentId, seq }: Source): number =>
  places.placeOf(documentId, seq) ?? -1;
