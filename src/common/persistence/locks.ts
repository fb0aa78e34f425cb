import type { EntityManager } from 'typeorm';
import { setTimeout as sleep } from 'node:timers/promises';

/** Lets the transactions of one account that count before they write go one by one, until each one's end. */
export async function lockAccount(tx: EntityManager, accountId: number): Promise<void> {
  await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
}

/**
 * Numbers of PostgreSQL advisory locks, the first key where a lock has two. Every lock of the service stands here, so
 * that no two have the same number. Triggers that count take negative numbers (docs/adr/0027).
 */
export const ADVISORY_LOCKS = {
  /** Held by the process that migrates the database. */
  migration: 4_711_001,
  /** See `SEND_LOCK`. */
  send: 4_711_002,
  /** Held by the process that compacts the counters of calls. */
  callCounters: 4_711_003,
  /**
   * With the campaign's id as second key: held in shared mode by transactions that change its leads, and exclusively from
   * before the dialler reads the leads until the campaign sleeps.
   */
  campaignSleep: 4_711_004,
  /** Held while live events are numbered. */
  liveEvents: 4_711_005,
  /** With the campaign's id as second key: held by transactions that add duplicates to it, or remove a lead with some. */
  campaignDuplicates: 4_711_007,
  /** Held by the process that sums up the statistics of calls. */
  callStatistics: 4_711_006,
} as const;

/**
 * First key of the advisory locks that senders hold in shared mode from before they check whether they may send
 * until the request has left; the second key is the assistant's id.
 */
export const SEND_LOCK = ADVISORY_LOCKS.send;
/** Tells senders, by assistant id, to give up requests that have not left yet. */
export const SEND_STOP_CHANNEL = 'send_stop';

const POLL_MS = 20;
/** Longer than any exchange may take. */
const GIVE_UP_MS = 20_000;

/**
 * To be called after a commit that forbids or redirects sending: ends when no request leaves any more that was
 * allowed before. Polls instead of waiting in the lock's queue, so that a receiver that cannot be connected to
 * holds no database connection.
 */
export async function drainSendLocks(db: EntityManager, assistantId: number): Promise<void> {
  await db.query(`SELECT pg_notify('${SEND_STOP_CHANNEL}', $1)`, [String(assistantId)]);
  for (const started = Date.now(); Date.now() - started < GIVE_UP_MS; await sleep(POLL_MS)) {
    const [row]: { free: boolean }[] = await db.query('SELECT pg_try_advisory_xact_lock($1, $2) AS free', [
      SEND_LOCK,
      assistantId,
    ]);
    if (row?.free) return;
  }
}
