import { Injectable } from '@nestjs/common';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { JobQueue, type JobRow } from '#src/queue/job-queue.js';
import { type ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { type Party, ReceiverConcurrencyLimiter } from './receiver-concurrency.js';

const MAX_BATCH = 100;

/** Claims due rows whose receiver has a free slot in this process. */
@Injectable()
export class DeliveryClaimsService {
  private readonly limiter = new ReceiverConcurrencyLimiter();
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

  /** Null: not due, claimed elsewhere, done, or no free slot; in the last case it is offered when a slot is free. */
  claim(id: number): Promise<ClaimedDelivery | null> {
    return this.batches.load(id);
  }

  /** To be called once for each claimed row, when its request is over. */
  release(row: Party): void {
    const next = this.limiter.releaseSlot(row);
    if (next) this.queue.offerLocally('webhook-delivery', next);
  }

  private async claimAll(ids: number[]): Promise<(ClaimedDelivery | null)[]> {
    // Also of rows that are not due any more: each of them passes its slot on to a row that waits.
    const placed = (await this.rows.partiesOf(ids)).filter((party) => this.limiter.acquireSlot(party));
    const claimed = new Map<number, ClaimedDelivery>();
    try {
      const rows = placed.length > 0 ? await this.rows.claimDeliveries(placed.map(({ id }) => id)) : [];
      // With the receiver whose slot it has: one that has moved since is put back by the sender.
      const receivers = new Map(placed.map(({ id, receiver }) => [id, receiver]));
      for (const row of rows)
        claimed.set(row.id, { ...row, receiver: receivers.get(row.id) ?? row.receiver });
    } finally {
      for (const row of placed) if (!claimed.has(row.id)) this.release(row);
    }
    return ids.map((id) => {
      const row = claimed.get(id) ?? null;
      // Of concurrent callers for one row only one may send it.
      claimed.delete(id);
      return row;
    });
  }
}
