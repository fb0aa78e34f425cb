import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Keys that one statement looks through. */
const BATCH = 1_000;
/** In place of the hash of a request: whoever repeats it is told that the key was used with another one. */
const ERASED = 'erased';

/** A batch of an account's keys, in their order. */
export interface KeyBatch {
  /** The last of them; null: there are no more. */
  last: string | null;
  /** Those whose answer has what was looked for. */
  found: string[];
}

/** Erases what answers and requests of idempotency keys tell; the keys stay used until they expire. */
@Injectable()
export class StoredAnswersService {
  constructor(private readonly db: DataSource) {}

  /**
   * @param pattern a regular expression of PostgreSQL
   * @param after the last key of the batch before; null: the first batch
   */
  async findMatching(accountId: number, pattern: string, after: string | null): Promise<KeyBatch> {
    const [row]: { last: string | null; found: string[] }[] = await this.db.query(
      `SELECT max(key) AS last, coalesce(array_agg(key) FILTER (WHERE body ~ $2), '{}') AS found
         FROM (SELECT key, body FROM idempotency_keys WHERE account_id = $1 AND ($3::text IS NULL OR key > $3)
                ORDER BY key LIMIT ${BATCH}) AS batch`,
      [accountId, pattern, after],
    );
    return row ?? { last: null, found: [] };
  }

  /** Whether a request that began before is still worked on: its answer will be stored. */
  async hasUnanswered(accountId: number, before: Date): Promise<boolean> {
    const found: unknown[] = await this.db.query(
      `SELECT 1 FROM idempotency_keys
        WHERE account_id = $1 AND created_at < $2 AND status_code IS NULL AND locked_until > now() LIMIT 1`,
      [accountId, before],
    );
    return found.length > 0;
  }

  /** The answers of keys. */
  readAnswers(accountId: number, keys: readonly string[]): Promise<object[]> {
    return this.db.query(
      `SELECT key, status_code, body AS answer, created_at FROM idempotency_keys
        WHERE account_id = $1 AND key = ANY($2) ORDER BY key`,
      [accountId, keys],
    );
  }

  /** @returns how many */
  eraseKeys(tx: EntityManager, accountId: number, keys: readonly string[]): Promise<number> {
    return this.erase(tx, 'account_id = $1 AND key = ANY($3)', [accountId, ERASED, keys]);
  }

  /** Of requests that have made something. @returns how many */
  eraseRequests(tx: EntityManager, accountId: number, requestIds: readonly string[]): Promise<number> {
    return this.erase(tx, 'account_id = $1 AND request_id = ANY($3::bigint[])', [
      accountId,
      ERASED,
      requestIds,
    ]);
  }

  private async erase(tx: EntityManager, which: string, values: unknown[]): Promise<number> {
    const [, count] = (await tx.query(
      `UPDATE idempotency_keys SET body = NULL, request_hash = $2
        WHERE ${which} AND status_code IS NOT NULL AND request_hash <> $2`,
      values,
    )) as [unknown[], number];
    return count;
  }
}
