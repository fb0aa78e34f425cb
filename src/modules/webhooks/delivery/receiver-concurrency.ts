/** Deliveries of one receiver (account and host), and of one account, that a process sends at the same time. */
const PER_RECEIVER = 8;
const PER_ACCOUNT = 16;
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
