import { Injectable } from '@nestjs/common';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { JobQueue, type JobRow } from '#src/queue/job-queue.js';
import {
  type ClaimedDelivery,
  DeliveriesRepository,
  type SaturatedTargets,
  type QueuedDelivery,
} from './deliveries.repository.js';

const MAX_BATCH = 100;
/** Concurrent requests of a process, per receiver (account and host) and per account. */
const MAX_PER_RECEIVER = 8;
const MAX_PER_ACCOUNT = 16;
/** Waiting deliveries per account in memory; reconciliation finds the others. */
const MAX_WAITING = 1_000;

/** Limits concurrent deliveries per receiver and account, so that a hanging receiver does not block others. */
export class ReceiverConcurrencyLimiter {
  private readonly receivers = new Map<string, number>();
  private readonly accounts = new Map<number, number>();
  private readonly waiting = new Map<number, Map<number, QueuedDelivery>>();

  /** False: no slot is free, and the row waits for one. */
  acquireSlot(delivery: QueuedDelivery): boolean {
    if (!this.hasFreeSlot(delivery)) {
      this.addWaiting(delivery);
      return false;
    }
    this.removeWaiting(delivery);
    changeCount(this.receivers, delivery.receiver, 1);
    changeCount(this.accounts, delivery.accountId, 1);
    return true;
  }

  /** @returns a waiting delivery for the free slot, to be claimed */
  releaseSlot({ accountId, receiver }: Omit<QueuedDelivery, 'id'>): QueuedDelivery | null {
    changeCount(this.receivers, receiver, -1);
    changeCount(this.accounts, accountId, -1);
    for (const delivery of this.waiting.get(accountId)?.values() ?? []) {
      if (!this.hasFreeSlot(delivery)) continue;
      this.removeWaiting(delivery);
      return delivery;
    }
    return null;
  }

  saturatedTargets(): SaturatedTargets {
    const receivers = [...this.receivers].filter(([, taken]) => taken >= MAX_PER_RECEIVER);
    const accounts = [...this.accounts].filter(([, taken]) => taken >= MAX_PER_ACCOUNT);
    return { receivers: receivers.map(([key]) => key), accounts: accounts.map(([key]) => key) };
  }

  private hasFreeSlot({ accountId, receiver }: QueuedDelivery): boolean {
    const ofReceiver = this.receivers.get(receiver) ?? 0;
    const ofAccount = this.accounts.get(accountId) ?? 0;
    return ofReceiver < MAX_PER_RECEIVER && ofAccount < MAX_PER_ACCOUNT;
  }

  private addWaiting(delivery: QueuedDelivery): void {
    const waiting = this.waiting.get(delivery.accountId) ?? new Map<number, QueuedDelivery>();
    if (waiting.size < MAX_WAITING) this.waiting.set(delivery.accountId, waiting.set(delivery.id, delivery));
  }

  private removeWaiting({ id, accountId }: QueuedDelivery): void {
    const waiting = this.waiting.get(accountId);
    waiting?.delete(id);
    if (waiting?.size === 0) this.waiting.delete(accountId);
  }
}

function changeCount<K>(counts: Map<K, number>, key: K, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** Claims due rows whose receiver has a free slot in this process. */
@Injectable()
export class DeliveryClaimsService {
  private readonly limiter = new ReceiverConcurrencyLimiter();
  private readonly batches = new BatchLoader<number, ClaimedDelivery | null>(
    (ids) => this.claimBatch(ids),
    MAX_BATCH,
  );

  constructor(
    private readonly rows: DeliveriesRepository,
    private readonly queue: JobQueue,
  ) {}

  findDue(limit: number): Promise<JobRow[]> {
    return this.rows.findDue(limit, this.limiter.saturatedTargets());
  }

  /** Null: not due, claimed elsewhere, done, or no free slot; a delivery without a slot is offered with the next one. */
  claimDelivery(id: number): Promise<ClaimedDelivery | null> {
    return this.batches.load(id);
  }

  /** To be called once for each claimed row, when its request is over. */
  releaseSlot(row: QueuedDelivery): void {
    const next = this.limiter.releaseSlot(row);
    if (next) this.queue.offerLocally('webhook-delivery', next);
  }

  private async claimBatch(ids: number[]): Promise<(ClaimedDelivery | null)[]> {
    // A delivery that is not due any more passes its slot on to a waiting one.
    const withSlot = (await this.rows.findQueued(ids)).filter((delivery) =>
      this.limiter.acquireSlot(delivery),
    );
    const claimed = new Map<number, ClaimedDelivery>();
    try {
      const rows = withSlot.length > 0 ? await this.rows.claimDeliveries(withSlot.map(({ id }) => id)) : [];
      // Keeps the receiver of its slot: the processor requeues a delivery with a changed URL.
      const receivers = new Map(withSlot.map(({ id, receiver }) => [id, receiver]));
      for (const row of rows)
        claimed.set(row.id, { ...row, receiver: receivers.get(row.id) ?? row.receiver });
    } finally {
      for (const row of withSlot) if (!claimed.has(row.id)) this.releaseSlot(row);
    }
    return ids.map((id) => {
      const row = claimed.get(id) ?? null;
      // Of concurrent callers for one row only one may send it.
      claimed.delete(id);
      return row;
    });
  }
}
