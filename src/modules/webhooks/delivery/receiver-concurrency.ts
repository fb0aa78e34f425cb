import { KeyedConcurrencyLimiter, type Release } from '#src/common/persistence/keyed-concurrency-limiter.js';

/** Deliveries of one receiver (account and host), and of one account, that a process sends at the same time. */
const PER_RECEIVER = 8;
const PER_ACCOUNT = 16;
/**
 * For a receiver that answers within this time as many rows again are claimed, so that the next request need not wait
 * for statements. Not for others: the lease of a claimed row could end while it waits.
 */
const QUICK_MS = 500;
const AHEAD = 2;
/** Longest wait of a claimed row; then it is put back. */
const WAIT_MS = 5_000;
const WAITS = { maxWaiting: PER_ACCOUNT * AHEAD, maxWaitMs: WAIT_MS };
/** More than one, so that the share of a receiver that has become quick grows. */
const NEXT = 2;
/** Rows of an account that wait in memory for a free slot; reconciliation finds the others. */
const MAX_WAITING = 1_000;

export interface Party {
  id: number;
  accountId: number;
  receiver: string;
}

/** Receivers and accounts without a free slot. */
export interface FullParties {
  receivers: string[];
  accounts: number[];
}

/** Limits concurrent requests per receiver and account, so that a hanging receiver does not block others. */
export class RequestLimiter {
  private readonly receivers = new KeyedConcurrencyLimiter<string>(PER_RECEIVER, WAITS);
  private readonly accounts = new KeyedConcurrencyLimiter<number>(PER_ACCOUNT, WAITS);

  /** @throws NoSlotError when none is free in time or `signal` fires */
  enter(party: Omit<Party, 'id'>, signal: AbortSignal): Release | Promise<Release> {
    const leaveReceiver = this.receivers.tryEnter(party.receiver);
    const leaveAccount = leaveReceiver && this.accounts.tryEnter(party.accountId);
    if (leaveAccount) return both(leaveAccount, leaveReceiver);
    return this.wait(party, signal, leaveReceiver);
  }

  private async wait(
    { accountId, receiver }: Omit<Party, 'id'>,
    signal: AbortSignal,
    entered: Release | null,
  ): Promise<Release> {
    const leaveReceiver = entered ?? (await this.receivers.enter(receiver, signal));
    try {
      return both(await this.accounts.enter(accountId, signal), leaveReceiver);
    } catch (error) {
      leaveReceiver();
      throw error;
    }
  }
}

const both =
  (first: Release, second: Release): Release =>
  () => {
    first();
    second();
  };

/** Limits the rows that a process has claimed and not sent yet, per receiver and account. */
export class ReceiverConcurrencyLimiter {
  private readonly receivers = new Map<string, number>();
  /** Of those in `receivers`. */
  private readonly quick = new Set<string>();
  private readonly accounts = new Map<number, number>();
  private readonly waiting = new Map<number, Map<number, Party>>();

  /** False: no slot is free, and the row waits for one. */
  acquireSlot(party: Party): boolean {
    if (!this.isFree(party)) {
      this.remember(party);
      return false;
    }
    this.forget(party);
    this.take(party);
    return true;
  }

  /** For a row that is not written yet. False: no slot is free, or other rows of the account wait for one. */
  reserveSlot(party: Omit<Party, 'id'>): boolean {
    if (this.waiting.has(party.accountId) || !this.isFree(party)) return false;
    this.take(party);
    return true;
  }

  /**
   * @param tookMs of the request; null: none was sent
   * @returns rows that wait for such slots, to be claimed
   */
  releaseSlot({ accountId, receiver }: Omit<Party, 'id'>, tookMs: number | null): Party[] {
    add(this.receivers, receiver, -1);
    add(this.accounts, accountId, -1);
    if (!this.receivers.has(receiver)) this.quick.delete(receiver);
    else if (tookMs !== null && tookMs < QUICK_MS) this.quick.add(receiver);
    else if (tookMs !== null) this.quick.delete(receiver);
    const next: Party[] = [];
    for (const party of this.waiting.get(accountId)?.values() ?? []) {
      if (!this.isFree(party)) continue;
      this.forget(party);
      next.push(party);
      if (next.length === NEXT) break;
    }
    return next;
  }

  full(): FullParties {
    const receivers = [...this.receivers].filter(([key, taken]) => taken >= PER_RECEIVER * this.factor(key));
    const accounts = [...this.accounts].filter(([, taken]) => taken >= PER_ACCOUNT);
    return { receivers: receivers.map(([key]) => key), accounts: accounts.map(([key]) => key) };
  }

  private take({ accountId, receiver }: Omit<Party, 'id'>): void {
    add(this.receivers, receiver, 1);
    add(this.accounts, accountId, 1);
  }

  private isFree({ accountId, receiver }: Omit<Party, 'id'>): boolean {
    const ofReceiver = this.receivers.get(receiver) ?? 0;
    const ofAccount = this.accounts.get(accountId) ?? 0;
    const factor = this.factor(receiver);
    return ofReceiver < PER_RECEIVER * factor && ofAccount < PER_ACCOUNT * factor;
  }

  private factor(receiver: string): number {
    return this.quick.has(receiver) ? AHEAD : 1;
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
