import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { EmbeddingsService } from '#src/modules/knowledge/embeddings/embeddings.service.js';
import { VectorsRepository } from '#src/modules/knowledge/embeddings/vectors.repository.js';
import { KnowledgeSearchService } from '#src/modules/knowledge/retrieval/knowledge-search.service.js';
import { PostingsRepository } from '#src/modules/knowledge/retrieval/postings.repository.js';
import { embeddingsAnswer, type EmbeddingsRequest } from '../../sandbox/model/embeddings.js';
import type { BenchDatabase } from '../support/database.js';
import { startService } from '../support/service.js';

const MODEL = 'sandbox';
const POLL_MS = 100;

/** The sandbox's vectors, of the letters of the words: they show what vectors cost, not what a model knows. */
export class LocalEmbeddings {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(): Promise<LocalEmbeddings> {
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () =>
        response.end(JSON.stringify(embeddingsAnswer(JSON.parse(text) as EmbeddingsRequest))),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new LocalEmbeddings(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Has a service embed the passages that have no vector. @returns seconds */
  async embedBases(database: BenchDatabase): Promise<number> {
    const service = await startService(database, { EMBEDDINGS_ENDPOINT: this.url, EMBEDDINGS_MODEL: MODEL });
    const started = performance.now();
    try {
      for (;;) {
        const { rows } = await database.pool.query(
          `SELECT 1 FROM knowledge_vector_indexes WHERE state <> 'active' OR due_at IS NOT NULL`,
        );
        if (rows.length === 0) return (performance.now() - started) / 1000;
        await sleep(POLL_MS);
      }
    } finally {
      await service.stop();
    }
  }

  /** By full text and vectors; the vectors are read when it is returned. */
  async search(db: DataSource, baseId: number): Promise<KnowledgeSearchService> {
    const embeddings = { endpoint: this.url, apiKey: null, model: MODEL, dimensions: 0, minSimilarity: 0.4 };
    const search = new KnowledgeSearchService(
      db,
      new PostingsRepository(db),
      new EmbeddingsService({ embeddings } as RuntimeSettings),
      new VectorsRepository(db),
    );
    const base = { id: baseId, language: 'en' } as const;
    const isFused = async () =>
      (await search.search(base, 'How do I create a table?', 5)).some(
        ({ similarity }) => similarity !== null,
      );
    while (!(await isFused())) await sleep(POLL_MS);
    return search;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
