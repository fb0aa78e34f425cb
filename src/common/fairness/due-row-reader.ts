import type { DataSource } from 'typeorm';
import type { AccountRow } from './fair-scheduler.js';

export interface DueRowSource {
  table: string;
  /** Column of the due time. */
  due: string;
  /** Which rows wait, whenever they are due; the condition of a partial index on (parties, due, id). */
  waiting: string;
  /** Columns that define a party, `account_id` first. */
  parties?: string[];
  /** Excludes parties; may use `party` and the parameters from $3 on. */
  partyIs?: string;
  /** Excludes rows; may use `waiter` and the parameters from $3 on. */
  rowIs?: string;
}

/** Rows of each party per look-up; further ones are found when these are done. */
const PER_PARTY = 50;

/**
 * Reads due rows round robin: the first of every party (account, or account and receiver), then the second, and so on.
 * Postgres reads one index entry to step from one party to the next, so that rows beyond a party's share are not read.
 */
export class DueRowReader {
  private readonly text: string;

  constructor(
    protected readonly db: DataSource,
    source: DueRowSource,
  ) {
    this.text = `${partitionsSql(source)} ${dueRowsSql(source)}`;
  }

  read(limit: number, values: unknown[] = []): Promise<AccountRow[]> {
    return this.db.query(this.text, [limit, Math.min(limit, PER_PARTY), ...values]);
  }
}

/** `WITH RECURSIVE parties …`: who has rows that wait, each found by a step in the index. */
export function partitionsSql({
  table,
  waiting,
  parties = ['account_id'],
}: Pick<DueRowSource, 'table' | 'waiting' | 'parties'>): string {
  const columns = parties.join(', ');
  const last = parties.map((column) => `previous.${column}`).join(', ');
  return `WITH RECURSIVE parties AS (
    (SELECT ${columns} FROM ${table} WHERE ${waiting} ORDER BY ${columns} LIMIT 1)
    UNION ALL
    SELECT step.* FROM parties previous CROSS JOIN LATERAL (
      SELECT ${columns} FROM ${table} WHERE ${waiting} AND (${columns}) > (${last})
       ORDER BY ${columns} LIMIT 1) step)`;
}

/**
 * Rows that are due, in turn, after `partitionsSql`: at most $1, and $2 of each party; `lock` leaves out locked ones.
 */
export function dueRowsSql({
  table,
  due,
  waiting,
  parties = ['account_id'],
  partyIs = 'true',
  rowIs = 'true',
  lock = false,
}: DueRowSource & { lock?: boolean }): string {
  const same = parties.map((column) => `waiter.${column} = party.${column}`).join(' AND ');
  return `SELECT id, account_id AS "accountId" FROM (
      SELECT found.id, found.due, party.account_id,
             row_number() OVER (PARTITION BY party.account_id ORDER BY found.due, found.id) AS turn
        FROM parties party CROSS JOIN LATERAL (
          SELECT id, ${due} AS due FROM ${table} waiter
           WHERE ${waiting} AND ${same} AND ${due} <= now() AND ${rowIs} ORDER BY ${due}, id LIMIT $2
           ${lock ? 'FOR UPDATE SKIP LOCKED' : ''}) found
       WHERE ${partyIs}) due_rows
     ORDER BY turn, due, id LIMIT $1`;
}
