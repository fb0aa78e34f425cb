import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import type { Release } from '#src/common/persistence/keyed-concurrency-limiter.js';
import { JobQueue, type JobRow } from '#src/queue/job-queue.js';
import { type ClaimedDelivery, type DueDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { type Party, ReceiverConcurrencyLimiter, RequestLimiter } from './receiver-concurrency.js';

const MAX_BATCH = 100;
/** Claims within this time share a statement: requests do not wait for it, as more rows than those under way are claimed. */
const GATHER_MS = 5;

/**
 * Claims due rows whose receiver has a free slot in this process, and lets their requests begin. New rows are written
 * claimed where a slot is free: this process has all that it needs to send them.
 */
@Injectable()
export class DeliveryClaimsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryClaimsService.name);
  private readonly limiter = new ReceiverConcurrencyLimiter();
  private readonly requests = new RequestLimiter();
  /** Written claimed, and not yet sent. */
  private readonly held = new Map<number, ClaimedDelivery>();
  /** Rows that waited for a slot and were offered again. */
  private readonly offered = new Map<number, Party>();
  private isStopping = false;
  private readonly batches = new BatchLoader<number, ClaimedDelivery | null>(
    (ids) => this.claimAll(ids),
    MAX_BATCH,
    GATHER_MS,
  );

  constructor(
    private readonly rows: DeliveriesRepository,
    private readonly queue: JobQueue,
  ) {}

  due(limit: number): Promise<JobRow[]> {
    return this.rows.due(limit, this.limiter.full());
  }

  /** Null: not due, claimed elsewhere, done, or no free slot; in the last case it is enqueued when a slot is free. */
  claim(id: number): ClaimedDelivery | Promise<ClaimedDelivery | null> {
    const held = this.held.get(id);
    if (!held) return this.batches.load(id);
    this.held.delete(id);
    return held;
  }

  /** Whether a row that is about to be written is to be claimed: a slot is taken for it, until `hold` or `release`. */
  reserve(row: Omit<DueDelivery, 'id'>): boolean {
    return this.queue.isWorker && !this.isStopping && this.limiter.reserveSlot(row);
  }

  /** A row was written claimed: it is sent next. */
  hold(row: ClaimedDelivery): void {
    this.held.set(row.id, row);
    const { id, accountId } = row;
    if (this.isStopping || !this.queue.offer('webhook-delivery', { id, accountId })) void this.letGo(row);
  }

  /** Waits until a request to the receiver of a claimed row may begin. @throws NoSlotError */
  enter(row: DueDelivery, signal: AbortSignal): Release | Promise<Release> {
    return this.requests.enter(row, signal);
  }

  /**
   * To be called once for each claimed row, when its request is over.
   *
   * @param tookMs null: none was sent
   */
  release(row: Omit<DueDelivery, 'id'>, tookMs: number | null): void {
    for (const party of this.limiter.releaseSlot(row, tookMs)) {
      if (this.queue.offer('webhook-delivery', party)) this.offered.set(party.id, party);
    }
  }

  /** What this process will not send is due at once for others. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.held.values()].map((row) => this.letGo(row)));
  }

  /** Where that fails it is due when its lease ends. */
  private async letGo(row: ClaimedDelivery): Promise<void> {
    if (!this.held.delete(row.id)) return;
    this.release(row, null);
    await this.rows.putBack(row, row).catch((error: unknown) => {
      this.logger.warn(`Delivery ${row.id} waits until its lease ends`, describeError(error));
    });
  }

  private async claimAll(ids: number[]): Promise<(ClaimedDelivery | null)[]> {
    const placed = (await this.partiesOf(ids)).filter((party) => this.limiter.acquireSlot(party));
    const claimed = new Map<number, ClaimedDelivery>();
    try {
      const rows = placed.length > 0 ? await this.rows.claimDeliveries(placed.map(({ id }) => id)) : [];
      // With the receiver whose slot it has: one that has moved since is put back by the sender.
      const receivers = new Map(placed.map(({ id, receiver }) => [id, receiver]));
      for (const row of rows)
        claimed.set(row.id, { ...row, receiver: receivers.get(row.id) ?? row.receiver });
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

  /** What a row needs a slot of: known where it waited for one, else looked up. */
  private async partiesOf(ids: number[]): Promise<Party[]> {
    const known: Party[] = [];
    const unknown: number[] = [];
    for (const id of new Set(ids)) {
      const party = this.offered.get(id);
      if (party) known.push(party);
      else unknown.push(id);
      this.offered.delete(id);
    }
    return unknown.length > 0 ? [...known, ...(await this.rows.dueAmong(unknown))] : known;
  }
}
