import { Injectable } from '@nestjs/common';
import { Batches } from '#src/common/persistence/batches.js';
import { JobQueue, type JobRow } from '#src/queue/job-queue.js';
import type { ClaimedDelivery, DueDelivery } from './claimed-delivery.js';
import { DeliveryRows } from './delivery-rows.service.js';
import { ReceiverPlaces } from './receiver-places.js';

const MAX_BATCH = 64;

/** Hands out due rows whose receiver has a place in this process. */
@Injectable()
export class DeliveryClaims {
  private readonly places = new ReceiverPlaces();
  private readonly batches = new Batches<number, ClaimedDelivery | null>(
    (ids) => this.claimAll(ids),
    MAX_BATCH,
  );

  constructor(
    private readonly rows: DeliveryRows,
    private readonly queue: JobQueue,
  ) {}

  due(limit: number): Promise<JobRow[]> {
    return this.rows.due(limit, this.places.full());
  }

  /** Null: not due, claimed elsewhere, done, or without a place; one that lacks a place is woken when one is free. */
  claim(id: number): Promise<ClaimedDelivery | null> {
    return this.batches.add(id);
  }

  /** To be called once for each claimed row, when its attempt is over. */
  release(row: DueDelivery): void {
    const next = this.places.giveBack(row);
    if (next !== null) this.queue.wake('webhook-delivery', { id: next, accountId: row.accountId });
  }

  private async claimAll(ids: number[]): Promise<(ClaimedDelivery | null)[]> {
    const placed = (await this.rows.dueAmong(ids)).filter((row) => this.places.take(row));
    const claimed = new Map<number, ClaimedDelivery>();
    try {
      const rows = placed.length > 0 ? await this.rows.claim(placed.map(({ id }) => id)) : [];
      for (const row of rows) claimed.set(row.id, row);
    } finally {
      for (const row of placed) if (!claimed.has(row.id)) this.release(row);
    }
    return ids.map((id) => {
      const row = claimed.get(id) ?? null;
      // Two callers may ask for one row; only one of them may send it.
      claimed.delete(id);
      return row;
    });
  }
}
