import { Logger } from '@nestjs/common';
import { describeError } from '../errors/describe-error.js';
import { BatchLoader } from './batches.js';
import { KeyedConcurrencyLimiter } from './keyed-concurrency-limiter.js';
import { withoutConnectionQuota } from './shared-pool.js';

/** `FOR UPDATE`, or `FOR UPDATE SKIP LOCKED`. */
export type LockedRowPolicy = 'wait' | 'skip';

interface Options {
  /** Items of one run. */
  maxSize: number;
  /** Runs of one item that may wait for locks at a time. */
  maxWaiting?: number;
}

/**
 * A `BatchLoader` for rows that other transactions may have locked. Concurrent items share a run with SKIP LOCKED.
 * Skipped items, and all items of a failed run, get a run each that waits for the lock, so that no item waits for the
 * lock of another one or fails with it.
 */
export class SkipLockedBatchLoader<In, Out> {
  private readonly logger = new Logger(SkipLockedBatchLoader.name);
  private readonly batches: BatchLoader<In, { result: Out } | null>;
  private readonly waiting: KeyedConcurrencyLimiter<'waiting'>;

  /** @param work returns the results of the items that it has not skipped */
  constructor(
    private readonly work: (items: readonly In[], whenLocked: LockedRowPolicy) => Promise<Map<In, Out>>,
    { maxSize, maxWaiting = Infinity }: Options,
  ) {
    this.batches = new BatchLoader((items) => this.runTogether(items), maxSize);
    this.waiting = new KeyedConcurrencyLimiter(maxWaiting);
  }

  /** @returns undefined: the item was skipped by its own run, too */
  async load(item: In): Promise<Out | undefined> {
    const done = await this.batches.load(item);
    return done ? done.result : this.runAlone(item);
  }

  private async runTogether(items: readonly In[]): Promise<({ result: Out } | null)[]> {
    const results = await this.work(items, 'skip').catch((error: unknown) => {
      this.logger.debug(`${items.length} items are tried one by one: ${describeError(error)}`);
      return new Map<In, Out>();
    });
    return items.map((item) => (results.has(item) ? { result: results.get(item) as Out } : null));
  }

  private async runAlone(item: In): Promise<Out | undefined> {
    const release = await this.waiting.acquire('waiting');
    try {
      return (await withoutConnectionQuota(() => this.work([item], 'wait'))).get(item);
    } finally {
      release();
    }
  }
}
