/** A row and its account; background work is scheduled by account. */
export interface AccountRow {
  id: string | number;
  accountId: number;
}

export interface SchedulerSizes {
  /** Rows that are processed at a time. */
  slots: number;
  /** Of these, the most for one account. */
  perAccount: number;
}

/** Rows of an account that wait in this process; further ones are refused and found again later. */
const MAX_WAITING_PER_ACCOUNT = 200;

/**
 * Assigns slots round robin by account, to each account up to its share. A row that waits already is not added again;
 * one that is being processed is, because the reason for it may be newer than that run.
 */
export class FairScheduler<Row extends AccountRow = AccountRow> {
  /** Waiting rows by account, in round-robin order. */
  private readonly waiting = new Map<number, Map<string, Row>>();
  private readonly running = new Map<number, number>();
  private readonly runs = new Set<Promise<void>>();
  private stopped = false;

  /**
   * @param work never rejects.
   * @param freed is called whenever work on a row has ended.
   */
  constructor(
    private readonly sizes: SchedulerSizes,
    private readonly work: (row: Row) => Promise<void>,
    private readonly freed: () => void = () => undefined,
  ) {}

  /** False: too many rows of its account wait, or the scheduler is stopped. */
  offerRow(row: Row): boolean {
    if (this.stopped) return false;
    const rows = this.waiting.get(row.accountId) ?? new Map<string, Row>();
    const key = String(row.id);
    if (!rows.has(key) && rows.size >= MAX_WAITING_PER_ACCOUNT) return false;
    this.waiting.set(row.accountId, rows.set(key, row));
    this.fill();
    return true;
  }

  /** Whether a slot is free: no row waits but those of accounts that have their share. */
  get hasFreeSlot(): boolean {
    return !this.stopped && this.runs.size < this.sizes.slots;
  }

  /** Drops waiting rows and resolves when the running work has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.waiting.clear();
    await Promise.all(this.runs);
  }

  private fill(): void {
    while (this.runs.size < this.sizes.slots) {
      const row = this.next();
      if (!row) return;
      this.begin(row);
    }
  }

  /** The oldest row of the next account, which then moves to the end of the order. */
  private next(): Row | null {
    for (const [accountId, rows] of this.waiting) {
      if ((this.running.get(accountId) ?? 0) >= this.sizes.perAccount) continue;
      const [first] = rows;
      this.waiting.delete(accountId);
      if (!first) continue;
      const [key, row] = first;
      rows.delete(key);
      if (rows.size > 0) this.waiting.set(accountId, rows);
      return row;
    }
    return null;
  }

  private begin(row: Row): void {
    const { accountId } = row;
    this.running.set(accountId, (this.running.get(accountId) ?? 0) + 1);
    const run = this.work(row).then(() => {
      this.runs.delete(run);
      const left = (this.running.get(accountId) ?? 1) - 1;
      if (left > 0) this.running.set(accountId, left);
      else this.running.delete(accountId);
      this.fill();
      this.freed();
    });
    this.runs.add(run);
  }
}
