import { Injectable } from '@nestjs/common';
import { BatchLoader } from '#src/common/persistence/batches.js';
import type { Release } from '#src/common/persistence/keyed-concurrency-limiter.js';
import { JobQueue, type JobRow } from '#src/queue/job-queue.js';
import { type ClaimedDelivery, type DueDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { ReceiverConcurrencyLimiter, RequestLimiter } from './receiver-concurrency.js';

const MAX_BATCH = 100;

/** Claims due rows whose receiver has a free slot in this process, and lets their requests begin. */
@Injectable()
export class DeliveryClaimsService {
  private readonly limiter = new ReceiverConcurrencyLimiter();
  private readonly requests = new RequestLimiter();
  private readonly batches = new BatchLoader<number, ClaimedDelivery | null>(
    (ids) => this.claimAll(ids),
    MAX_BATCH,
  );

  constructor(
    private readonly rows: DeliveriesRepository,
    private readonly queue: JobQueue,
  ) {}

  due(limit: number): Promise<JobRow[]> {
    return this.rows.due(limit, this.limiter.full());
  }

  /** Null: not due, claimed elsewhere, done, or no free slot; in the last case it is enqueued when a slot is free. */
  claim(id: number): Promise<ClaimedDelivery | null> {
    return this.batches.load(id);
  }

  /** Waits until a request to the receiver of a claimed row may begin. @throws NoSlotError */
  enter(row: DueDelivery, signal: AbortSignal): Promise<Release> {
    return this.requests.enter(row, signal);
  }

  /**
   * To be called once for each claimed row, when its request is over.
   *
   * @param tookMs null: none was sent
   */
  release(row: DueDelivery, tookMs: number | null): void {
    for (const id of this.limiter.releaseSlot(row, tookMs))
      this.queue.offer('webhook-delivery', { id, accountId: row.accountId });
  }

  private async claimAll(ids: number[]): Promise<(ClaimedDelivery | null)[]> {
    const placed = (await this.rows.dueAmong(ids)).filter((row) => this.limiter.acquireSlot(row));
    const claimed = new Map<number, ClaimedDelivery>();
    try {
      const rows = placed.length > 0 ? await this.rows.claimDeliveries(placed.map(({ id }) => id)) : [];
      for (const row of rows) claimed.set(row.id, row);
    } finally {
      for (const row of placed) if (!claimed.has(row.id)) this.release(row, null);
    }
    return ids.map((id) => {
      const row = claimed.get(id) ?? null;
      // Of concurrent callers for one row only one may send it.
      claimed.delete(id);
      return row;
    });
  }
}
