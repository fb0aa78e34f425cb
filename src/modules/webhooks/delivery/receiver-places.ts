/** Deliveries of one receiver (account and host), and of one account, that a process sends at the same time. */
const PER_RECEIVER = 8;
const PER_ACCOUNT = 24;

interface Party {
  accountId: number;
  receiver: string;
}

/** Gives each receiver its share of a process's senders, so that one that hangs holds no more than that. */
export class ReceiverPlaces {
  private readonly receivers = new Map<string, number>();
  private readonly accounts = new Map<number, number>();

  /** A place, or null: none is free. Giving it back, once, tells whether it was the last one. */
  take({ accountId, receiver }: Party): { giveBack(): boolean } | null {
    if (this.isFull(accountId, receiver)) return null;
    add(this.receivers, receiver, 1);
    add(this.accounts, accountId, 1);
    return {
      giveBack: () => {
        const wasLast = this.isFull(accountId, receiver);
        add(this.receivers, receiver, -1);
        add(this.accounts, accountId, -1);
        return wasLast;
      },
    };
  }

  fullReceivers(): string[] {
    return [...this.receivers].filter(([, taken]) => taken >= PER_RECEIVER).map(([receiver]) => receiver);
  }

  fullAccounts(): number[] {
    return [...this.accounts].filter(([, taken]) => taken >= PER_ACCOUNT).map(([accountId]) => accountId);
  }

  private isFull(accountId: number, receiver: string): boolean {
    const ofReceiver = this.receivers.get(receiver) ?? 0;
    const ofAccount = this.accounts.get(accountId) ?? 0;
    return ofReceiver >= PER_RECEIVER || ofAccount >= PER_ACCOUNT;
  }
}

function add<K>(counts: Map<K, number>, key: K, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
