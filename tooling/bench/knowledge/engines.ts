import MiniSearch from 'minisearch';
import type { DataSource } from 'typeorm';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { EmbeddingsService } from '#src/modules/knowledge/embeddings/embeddings.service.js';
import { VectorsRepository } from '#src/modules/knowledge/embeddings/vectors.repository.js';
import { PostingsRepository } from '#src/modules/knowledge/retrieval/postings.repository.js';
import { KnowledgeSearchService } from '#src/modules/knowledge/retrieval/knowledge-search.service.js';

export interface Found {
  /** Of the page, with `.html`. */
  page: string;
}

/** Searches the same chunks as the others. @returns the best ones first */
export type Engine = (question: string, limit: number) => Promise<Found[]>;

/** Without an endpoint for vectors. */
export const fullText = (db: DataSource): KnowledgeSearchService =>
  new KnowledgeSearchService(
    db,
    new PostingsRepository(db),
    new EmbeddingsService({ embeddings: null } as RuntimeSettings),
    new VectorsRepository(db),
  );

export const serviceEngine =
  (search: KnowledgeSearchService, baseId: number): Engine =>
  async (question, limit) =>
    (await search.search({ id: baseId, language: 'en' }, question, limit)).map(({ url }) => ({
      page: pageOf(url),
    }));

/** `share`: of the searches so far, in how many a passage was found by vectors; 0 to 1. */
export type FusedEngine = Engine & { share(): number };

/** A search whose vectors are not there in time is one of full text, which is faster. */
export function fusedEngine(search: KnowledgeSearchService, baseId: number): FusedEngine {
  let [searches, fused] = [0, 0];
  const engine: Engine = async (question, limit) => {
    const found = await search.search({ id: baseId, language: 'en' }, question, limit);
    searches++;
    if (found.some(({ similarity }) => similarity !== null)) fused++;
    return found.map(({ url }) => ({ page: pageOf(url) }));
  };
  return Object.assign(engine, { share: () => fused / searches });
}

interface Row {
  id: string;
  title: string;
  headings: string;
  text: string;
  url: string;
}

/** BM25 in memory, with the weights that the service has for titles and headings. */
export async function miniSearchEngine(db: DataSource, baseId: number): Promise<Engine> {
  const rows = (await db.query(
    `SELECT document_id || '/' || seq AS id, coalesce(title, '') AS title, array_to_string(headings, '. ') AS headings,
            text, url
       FROM knowledge_chunks WHERE knowledge_base_id = $1`,
    [baseId],
  )) as Row[];
  const index = new MiniSearch<Row>({
    fields: ['title', 'headings', 'text'],
    storeFields: ['url'],
    searchOptions: { boost: { title: 3, headings: 2 } },
  });
  await index.addAllAsync(rows);
  return (question, limit) =>
    Promise.resolve(
      index
        .search(question)
        .slice(0, limit)
        .map((found) => ({ page: pageOf(found['url'] as string) })),
    );
}

const pageOf = (url: string | null): string => new URL(url ?? '').pathname.slice(1);
