import { Injectable } from '@nestjs/common';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { JobQueue, type JobRow } from '#src/queue/job-queue.js';
import {
  type ClaimedDelivery,
  DeliveriesRepository,
  type FullParties,
  type Party,
} from './deliveries.repository.js';

const MAX_BATCH = 100;
/** Deliveries of one receiver (account and host), and of one account, that a process sends at the same time. */
const PER_RECEIVER = 8;
const PER_ACCOUNT = 16;
/** Rows of an account that wait in memory for a free slot; reconciliation finds the others. */
const MAX_WAITING = 1_000;

/** Limits concurrent deliveries per receiver and account, so that a hanging receiver does not block others. */
export class ReceiverConcurrencyLimiter {
  private readonly receivers = new Map<string, number>();
  private readonly accounts = new Map<number, number>();
  private readonly waiting = new Map<number, Map<number, Party>>();

  /** False: no slot is free, and the row waits for one. */
  acquireSlot(party: Party): boolean {
    if (!this.isFree(party)) {
      this.remember(party);
      return false;
    }
    this.forget(party);
    add(this.receivers, party.receiver, 1);
    add(this.accounts, party.accountId, 1);
    return true;
  }

  /** @returns a row that waits for such a slot, to be claimed */
  releaseSlot({ accountId, receiver }: Omit<Party, 'id'>): Party | null {
    add(this.receivers, receiver, -1);
    add(this.accounts, accountId, -1);
    for (const party of this.waiting.get(accountId)?.values() ?? []) {
      if (!this.isFree(party)) continue;
      this.forget(party);
      return party;
    }
    return null;
  }

  full(): FullParties {
    const receivers = [...this.receivers].filter(([, taken]) => taken >= PER_RECEIVER);
    const accounts = [...this.accounts].filter(([, taken]) => taken >= PER_ACCOUNT);
    return { receivers: receivers.map(([key]) => key), accounts: accounts.map(([key]) => key) };
  }

  private isFree({ accountId, receiver }: Party): boolean {
    const ofReceiver = this.receivers.get(receiver) ?? 0;
    const ofAccount = this.accounts.get(accountId) ?? 0;
    return ofReceiver < PER_RECEIVER && ofAccount < PER_ACCOUNT;
  }

  private remember(party: Party): void {
    const waiting = this.waiting.get(party.accountId) ?? new Map<number, Party>();
    if (waiting.size < MAX_WAITING) this.waiting.set(party.accountId, waiting.set(party.id, party));
  }

  private forget({ id, accountId }: Party): void {
    const waiting = this.waiting.get(accountId);
    waiting?.delete(id);
    if (waiting?.size === 0) this.waiting.delete(accountId);
  }
}

function add<K>(counts: Map<K, number>, key: K, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

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
