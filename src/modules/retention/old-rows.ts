import type { EntityManager } from 'typeorm';
import type { RetentionScope } from './retention-plan.js';

/** Rows of one transaction: short locks. */
export const RETENTION_BATCH = 200;

/** SQL of rows of the caller's table, which has `id`, `account_id` and `assistant_id`. */
interface OldRows {
  table: string;
  /** The column that tells their age. */
  time: string;
  /** Of those that are final and have something to remove: that of a partial index on the assistant and `time`. */
  condition: string;
}

/**
 * SQL of the ids of a batch, with the account ($1), its assistants ($2) and the time ($3). Each assistant's rows are
 * read in the order of the index: without the order PostgreSQL reads the table where its statistics are old.
 */
export const oldRowsSql = ({ table, time, condition }: OldRows): string =>
  `SELECT old.id FROM unnest($2::int[]) AS asked (assistant) CROSS JOIN LATERAL (
     SELECT id FROM ${table}
      WHERE account_id = $1 AND assistant_id = asked.assistant AND ${time} < $3 AND ${condition}
      ORDER BY ${time} LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED) AS old
    LIMIT ${RETENTION_BATCH}`;

export const scopeValues = ({ accountId, assistantIds, before }: RetentionScope): unknown[] => [
  accountId,
  assistantIds,
  before,
];

/** Locks them. */
export async function findOldRows(
  tx: EntityManager,
  scope: RetentionScope,
  rows: OldRows,
): Promise<number[]> {
  const found: { id: number }[] = await tx.query(oldRowsSql(rows), scopeValues(scope));
  return found.map(({ id }) => id);
}
