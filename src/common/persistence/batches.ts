import { withoutConnectionQuota } from './shared-pool.js';

interface Waiting<In, Out> {
  item: In;
  resolve(result: Out): void;
  reject(error: unknown): void;
}

/**
 * A condition that holds for every row of a batch that is a JSON parameter, on one of its int columns without negatives
 * and nulls. PostgreSQL expects 100 rows of such a parameter, and 1 where a column is in a range: it joins them by an
 * index. Without it, a plan that was made while the joined table was small reads all of the table, and is kept while
 * the table grows.
 */
export const assumeFewRows = (column: string): string => `${column} BETWEEN 0 AND 2147483647`;

/**
 * Batches concurrent calls of one statement, as a DataLoader does, without a cache: calls that arrive while a batch runs
 * form the next one. A single call is sent at the end of the tick. A batch is outside of the accounts' connection
 * quotas, because one account's quota must not delay the others.
 */
export class BatchLoader<In, Out> {
  private waiting: Waiting<In, Out>[] = [];
  private running = false;
  private timer: NodeJS.Timeout | null = null;

  /**
   * `work` returns results in the order of its items. When it fails, each item is retried separately.
   *
   * @param waitMs how long a call waits for others while no batch is running; `flush` ends the wait
   */
  constructor(
    private readonly work: (items: In[]) => Promise<Out[]>,
    private readonly maxSize: number,
    private readonly waitMs = 0,
  ) {}

  load(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.waitMs === 0) this.flush();
      else if (!this.running) this.timer ??= setTimeout(() => this.begin(), this.waitMs);
    });
  }

  /** Sends waiting calls at the end of the tick. */
  flush(): void {
    if (this.running || this.waiting.length === 0) return;
    this.running = true;
    setImmediate(() => this.begin());
  }

  private begin(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.running = true;
    withoutConnectionQuota(() => void this.drain());
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) await this.run(this.waiting.splice(0, this.maxSize));
    this.running = false;
  }

  private async run(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const results = await this.work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Out));
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map((single) => this.run([single])));
    }
  }
}
