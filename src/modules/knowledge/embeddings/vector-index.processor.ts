import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import { runsJobs, RuntimeSettings } from '#src/config/runtime-settings.js';
import { JobProcessor, type JobResult, type JobRow, type RowProcessor } from '#src/queue/job-queue.js';
import type { KnowledgeVectorIndex } from '../entities/knowledge-vectors.entities.js';
import { EmbeddingsError, EmbeddingsService } from './embeddings.service.js';
import { VectorIndexesRepository } from './vector-indexes.repository.js';
import { toBytes } from './vectors.js';

/** Requests until other bases have their turn. */
const BATCHES = 8;
/** Of the pause after a failure, which doubles. */
const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 600;
/** A request that is wrong stays wrong until someone changes the settings, which takes a restart. */
const REFUSED_PAUSE_SECONDS = 3_600;

/** Has the passages of bases embedded, batch by batch. */
@JobProcessor('knowledge-vectors')
export class VectorIndexProcessor implements RowProcessor, OnApplicationBootstrap {
  private readonly logger = new Logger(VectorIndexProcessor.name);

  constructor(
    private readonly indexes: VectorIndexesRepository,
    private readonly embeddings: EmbeddingsService,
    private readonly settings: RuntimeSettings,
  ) {}

  /** The settings may have another model than before, or are corrected. */
  async onApplicationBootstrap(): Promise<void> {
    const { model } = this.embeddings;
    if (model && runsJobs(this.settings)) await this.indexes.request(model, null);
  }

  async findDueRows(limit: number): Promise<JobRow[]> {
    return this.embeddings.model ? this.indexes.findDue(limit) : [];
  }

  async process(rowId: string): Promise<JobResult> {
    const index = await this.indexes.claim(Number(rowId));
    if (!index) return 'done';
    const { model } = this.embeddings;
    if (model?.model !== index.model || model.wantedDimensions !== index.wantedDimensions) {
      await this.indexes.rest(index);
      return 'done';
    }
    try {
      return await this.embedNext(index);
    } catch (error) {
      await this.retryLater(index, error);
      return 'done';
    }
  }

  private async embedNext(index: KnowledgeVectorIndex): Promise<JobResult> {
    for (const batch of await this.indexes.findMissing(index, BATCHES)) {
      const passages = await this.indexes.readPassages(batch);
      if (!passages) continue;
      const vectors = await this.embeddings.embedPassages(index, passages.texts);
      await this.indexes.store(index, passages, vectors.map(toBytes));
      await this.indexes.renew(index);
    }
    if (await this.indexes.finish(index)) return 'done';
    await this.indexes.release(index, 0, null);
    return 'again';
  }

  private async retryLater(index: KnowledgeVectorIndex, error: unknown): Promise<void> {
    const known = error instanceof EmbeddingsError ? error : null;
    this.logger.warn(
      `The passages of a knowledge base were not embedded; trying again. ${known?.message ?? ''}`,
      known ? undefined : describeError(error),
    );
    await this.indexes.countAttempt(index);
    const grown = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(index.attempts, 10));
    const pause = known && !known.isTemporary ? REFUSED_PAUSE_SECONDS : grown;
    const asked = Math.min(REFUSED_PAUSE_SECONDS, (known?.retryAfterMs ?? 0) / 1_000);
    await this.indexes.release(index, Math.max(pause, asked), known?.message ?? 'An internal error');
  }
}
