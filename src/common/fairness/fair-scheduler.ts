/** A row and whose it is: what background work is shared out by. */
export interface AccountRow {
  id: string | number;
  accountId: number;
}

export interface LaneSizes {
  /** Rows that are worked on at a time. */
  places: number;
  /** Of these, those that one account may take. */
  perAccount: number;
}

/** Rows of an account that wait in this process; whoever offers more offers them again later. */
const MAX_WAITING_PER_ACCOUNT = 200;

/**
 * Shares places out by account: accounts with waiting rows take turns, each up to its share. A row that waits
 * already is not taken twice; one that is being worked on is, because what woke it may be newer than that work.
 */
export class FairScheduler<Row extends AccountRow = AccountRow> {
  /** In the order of the accounts' turns. */
  private readonly waiting = new Map<number, Map<string, Row>>();
  private readonly running = new Map<number, number>();
  private readonly runs = new Set<Promise<void>>();
  private stopped = false;

  /**
   * @param work never rejects.
   * @param freed is called whenever work on a row has ended.
   */
  constructor(
    private readonly sizes: LaneSizes,
    private readonly work: (row: Row) => Promise<void>,
    private readonly freed: () => void = () => undefined,
  ) {}

  /** False: too many rows of its account wait, or the lane is stopped. */
  offer(row: Row): boolean {
    if (this.stopped) return false;
    const rows = this.waiting.get(row.accountId) ?? new Map<string, Row>();
    const key = String(row.id);
    if (!rows.has(key) && rows.size >= MAX_WAITING_PER_ACCOUNT) return false;
    this.waiting.set(row.accountId, rows.set(key, row));
    this.fill();
    return true;
  }

  /** Whether a place is free: no row waits but those of accounts that have their share. */
  get hasRoom(): boolean {
    return !this.stopped && this.runs.size < this.sizes.places;
  }

  /** Forgets what waits and ends when the work under way has. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.waiting.clear();
    await Promise.all(this.runs);
  }

  private fill(): void {
    while (this.runs.size < this.sizes.places) {
      const row = this.next();
      if (!row) return;
      this.begin(row);
    }
  }

  /** The oldest row of the account whose turn it is; that account's next turn comes after the others'. */
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
    const run = this.work(row).finally(() => {
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
