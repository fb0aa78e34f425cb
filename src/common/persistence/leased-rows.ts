import type { DataSource } from 'typeorm';
import { DueRowReader, partitionsSql, dueRowsSql, type DueRowSource } from '../fairness/due-row-reader.js';

export interface LeasedRowSource extends DueRowSource {
  /** How long a row belongs to who claimed it, unless the lease is renewed. */
  seconds: number;
  /** Column that counts the claims of a row: `renew` and `release` compare it, so that a lost claim has no effect. */
  counter?: string;
  /** What `claim` returns besides the lease, as SQL; `waiter` is the row. */
  returning?: string;
}

/** A row that this process has claimed. */
export interface Lease {
  /** A number; decimal text where it has 64 bits. */
  id: number | string;
  /** The row's `counter` after the claim; 0 where claims are not counted. */
  claim: number;
  /** When the lease ends at the earliest, in the milliseconds of `performance.now()`. */
  leasedUntil: number;
}

type Claim = Pick<Lease, 'id' | 'claim'>;

/**
 * Due rows that processes claim before they work on them. A claim is a lease: it moves the due time into the future,
 * so that the row is due again when its process dies. Of processes that claim one row at a time, one gets it.
 */
export class LeasedRows<Row extends Lease> extends DueRowReader {
  /** The row of `held`, while its claim is the latest. */
  private readonly mine: string;

  constructor(
    db: DataSource,
    private readonly source: LeasedRowSource,
  ) {
    super(db, source);
    this.mine = `waiter.id = held.id AND waiter.${source.counter} = held.claim AND ${source.waiting}`;
  }

  /** Claims those of the rows that are due. */
  claim(ids: readonly Row['id'][]): Promise<Row[]> {
    const { waiting, due } = this.source;
    return this.lease('', `id = ANY($1) AND ${waiting} AND ${due} <= now()`, [ids]);
  }

  /**
   * Claims rows that are due, round robin by account, `perAccount` of each at most. Rows that another process is
   * claiming are left out. `values` are the parameters of the source's conditions.
   */
  claimNext(limit: number, perAccount: number, values: unknown[] = []): Promise<Row[]> {
    const next = dueRowsSql({ ...this.source, lock: true });
    return this.lease(partitionsSql(this.source), `id IN (SELECT id FROM (${next}) next)`, [
      limit,
      perAccount,
      ...values,
    ]);
  }

  /** Renews leases, except those that expired and were claimed by another process. */
  async renew(claims: readonly Claim[]): Promise<void> {
    await this.db.query(
      `UPDATE ${this.source.table} waiter SET ${this.leased}
         FROM unnest($1::bigint[], $2::int[]) AS held (id, claim) WHERE ${this.mine}`,
      [claims.map(({ id }) => id), claims.map(({ claim }) => claim)],
    );
  }

  /**
   * Ends a lease: the row is due again in `seconds`, with these columns. Nothing changes when the lease expired and
   * another process claimed the row.
   */
  async release({ id, claim }: Claim, seconds: number, columns: Record<string, unknown> = {}): Promise<void> {
    const set = Object.keys(columns).map((column, index) => `, ${column} = $${index + 4}`);
    await this.db.query(
      `UPDATE ${this.source.table} waiter SET ${this.source.due} = now() + make_interval(secs => $3)${set.join('')}
         FROM (SELECT $1::bigint AS id, $2::int AS claim) held WHERE ${this.mine}`,
      [id, claim, seconds, ...Object.values(columns)],
    );
  }

  private get leased(): string {
    return `${this.source.due} = now() + make_interval(secs => ${this.source.seconds})`;
  }

  private async lease(before: string, which: string, values: unknown[]): Promise<Row[]> {
    const { table, seconds, counter, returning } = this.source;
    const count = counter ? `, ${counter} = waiter.${counter} + 1` : '';
    // Before the statement: by this clock the lease ends before it does by the database's.
    const leasedUntil = performance.now() + seconds * 1000;
    const [rows]: [Omit<Row, 'leasedUntil'>[], number] = await this.db.query(
      `${before} UPDATE ${table} waiter SET ${this.leased}${count} WHERE ${which}
       RETURNING id, ${counter ?? '0'} AS claim${returning ? `, ${returning}` : ''}`,
      values,
    );
    return rows.map((row) => ({ ...row, leasedUntil }) as Row);
  }
}
