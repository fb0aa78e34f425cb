import type { EntityManager } from 'typeorm';

/** Lets the transactions of one account that count before they write go one by one, until each one's end. */
export async function lockAccount(tx: EntityManager, accountId: number): Promise<void> {
  await tx.query('SELECT lock_account($1)', [accountId]);
}

/**
 * Numbers of PostgreSQL advisory locks, the first key where a lock has two. Every lock of the service is listed here,
 * so that no two have the same number. Triggers that count take negative numbers (docs/build/adr/0027).
 */
export const ADVISORY_LOCKS = {
  /** Held by the process that migrates the database. */
  migration: 4_711_001,
  /** Held by the process that compacts the counters of calls. */
  callCounters: 4_711_003,
  /**
   * With the campaign's id as second key: held in shared mode by transactions that change its leads, and exclusively
   * from before the dialler reads the leads until the campaign sleeps.
   */
  campaignSleep: 4_711_004,
  /** Held while live events are numbered. */
  liveEvents: 4_711_005,
  /**
   * With the campaign's id as second key: held by transactions that add duplicates to it, or remove a lead with some.
   */
  campaignDuplicates: 4_711_007,
  /** Held by the process that sums up the statistics of calls. */
  callStatistics: 4_711_006,
  /** With the account's id as second key: held while old contents of the account are removed. */
  retention: 4_711_008,
  /** Held while the role of the service on a private server gets its rights. */
  serviceRole: 4_711_009,
  /**
   * With the account's id as second key: held in shared mode by batches of imports, and exclusively while an erasure is
   * requested.
   */
  erasures: 4_711_010,
} as const;
