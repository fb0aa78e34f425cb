import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
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
/** Unrelated texts have less: vectors of 512 numbers without a model are never far from right angles. */
const MIN_SIMILARITY = 0.2;
const POLL_MS = 100;

/** The sandbox's vectors, from a thread of their own, as from another machine. They know words, not what they mean. */
export class LocalEmbeddings {
  private constructor(
    private readonly server: Worker,
    readonly url: string,
  ) {}

  static async open(): Promise<LocalEmbeddings> {
    const server = new Worker(new URL(import.meta.url));
    const [port] = (await once(server, 'message')) as [number];
    return new LocalEmbeddings(server, `http://127.0.0.1:${port}`);
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
    const embeddings = {
      endpoint: this.url,
      apiKey: null,
      model: MODEL,
      dimensions: 0,
      minSimilarity: MIN_SIMILARITY,
    };
    const postings = new PostingsRepository(db);
    const vectors = new VectorsRepository(db);
    const base = { id: baseId, language: 'en' } as const;
    const read = await postings.readQuery(base, 'table');
    const index = read?.base.index;
    if (!read || !index || !(await vectors.load(read.base, index))) throw new Error('There are no vectors');
    return new KnowledgeSearchService(
      db,
      postings,
      new EmbeddingsService({ embeddings } as RuntimeSettings),
      vectors,
    );
  }

  async close(): Promise<void> {
    await this.server.terminate();
  }
}

function serve(): void {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () =>
      response.end(JSON.stringify(embeddingsAnswer(JSON.parse(text) as EmbeddingsRequest))),
    );
  });
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

if (!isMainThread) serve();
