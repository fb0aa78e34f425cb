import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import type { LockedRowPolicy } from '#src/common/persistence/skip-locked-batch-loader.js';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { JobQueue, type JobRow } from '#src/queue/job-queue.js';

/** Accounts that one statement looks up. */
const MAX_BATCH = 100;
/** Slots that are free in the account, and in the campaign. */
const FREE_IN_ACCOUNT = `plan.max_parallel_calls - (
  SELECT count(*) FROM running_calls call WHERE call.account_id = campaign.account_id)`;
const FREE_IN_CAMPAIGN = `campaign.max_calls_in_parallel - (
  SELECT count(*) FROM call_attempts attempt
   WHERE attempt.account_id = campaign.account_id AND attempt.campaign_id = campaign.id
     AND attempt.state <> 'closed' AND attempt.slot_until > now())`;
const WITH_ACCOUNT =
  'running_campaigns campaign JOIN account_plans plan ON plan.account_id = campaign.account_id';

const lockClause = (whenLocked: LockedRowPolicy): string =>
  `FOR NO KEY UPDATE OF campaign${whenLocked === 'skip' ? ' SKIP LOCKED' : ''}`;

/**
 * Free slots, and the campaigns that wait for them. Slots are counted from calls and attempts in the statement that
 * wakes a campaign, however many accounts there are.
 */
@Injectable()
export class DialQueueService {
  /** Most calls end in accounts in which no campaign waits: one statement checks all that end together. */
  private readonly resumed = new BatchLoader<number, number | null>(
    (accountIds) => this.resumeWaitingCampaigns(accountIds),
    MAX_BATCH,
  );

  constructor(
    private readonly db: DataSource,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * How many calls each campaign may begin now: less than 1, none. Absent: it is not in progress any more.
   *
   * @param whenLocked locks the campaigns until the transaction ends; those that are skipped are absent
   */
  async countFreeSlots(
    tx: EntityManager,
    ids: readonly number[],
    whenLocked: LockedRowPolicy | null,
  ): Promise<Map<number, number>> {
    const rows: { id: number; slots: number }[] = await tx.query(
      `SELECT campaign.id, least(${FREE_IN_ACCOUNT}, ${FREE_IN_CAMPAIGN})::int AS slots FROM ${WITH_ACCOUNT}
        WHERE campaign.id = ANY($1)
        ORDER BY campaign.id ${whenLocked === null ? '' : lockClause(whenLocked)}`,
      [ids],
    );
    return new Map(rows.map(({ id, slots }) => [id, slots]));
  }

  /**
   * Makes transactions that change leads of the campaigns wait until this one ends: each change is either seen before
   * its campaign goes to sleep, or wakes it (`wake_campaign` in the database). One that is changing a lead already may
   * wait for a row of this transaction, so it is not waited for.
   *
   * @returns the campaigns that may sleep
   */
  async lockForSuspend(tx: EntityManager, ids: readonly number[]): Promise<Set<number>> {
    const rows: { id: number }[] = await tx.query(
      'SELECT id FROM unnest($2::int[]) AS campaign (id) WHERE pg_try_advisory_xact_lock($1, id)',
      [ADVISORY_LOCKS.campaignSleep, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * After a call of the account: dials for the campaign that has waited longest for a slot, where one is free.
   *
   * @param wasPlaced after a refusal campaigns wait for the next look-up of due rows, so that refusals do not follow
   * one another at once
   */
  async dialAfterCall(accountId: number, wasPlaced: boolean): Promise<void> {
    const id = await this.resumed.load(accountId);
    if (id !== null && wasPlaced) this.enqueueDial({ id, accountId });
  }

  /** After a commit that made a campaign wait: a call that ended meanwhile did not find it waiting. */
  async dialWaitingCampaign(accountId: number): Promise<void> {
    const id = await this.resumed.load(accountId);
    if (id !== null) this.enqueueDial({ id, accountId });
  }

  enqueueDial(campaign: JobRow): void {
    this.jobs.enqueue('campaign-dial', campaign);
  }

  /**
   * For the slots that became free in these accounts: where slots are free, and balance and limits pay for a call, the
   * campaigns that have waited longest become due, as many as can use the slots.
   *
   * @param accountIds one for each slot
   * @returns for each of them such a campaign, or null
   */
  async resumeWaitingCampaigns(
    accountIds: readonly number[],
    db: Pick<EntityManager, 'query'> = this.db,
  ): Promise<(number | null)[]> {
    const rows: { id: number; accountId: number }[] = await db.query(RESUME_SQL, [accountIds]);
    return accountIds.map((accountId) => {
      const index = rows.findIndex((row) => row.accountId === accountId);
      return index < 0 ? null : (rows.splice(index, 1)[0]?.id ?? null);
    });
  }
}

/**
 * A locked campaign is skipped: the process that works on it looks for free slots after the commit (`dialWhereFree`),
 * and a change makes it due.
 */
const RESUME_SQL = `
  WITH woken AS MATERIALIZED (
    SELECT campaign.id, campaign.account_id
      FROM (SELECT account_id, count(*) FROM unnest($1::int[]) AS slot (account_id) GROUP BY 1)
             AS freed (account_id, slots),
           LATERAL (
        SELECT campaign.id, campaign.account_id FROM running_campaigns campaign JOIN (
          SELECT id, sum(free) OVER (ORDER BY dialled_at NULLS FIRST, id) - free AS taken
            FROM (SELECT campaign.id, dialled_at, ${FREE_IN_CAMPAIGN} AS free FROM ${WITH_ACCOUNT}
                   WHERE campaign.account_id = freed.account_id AND waits_for_slot AND ${FREE_IN_ACCOUNT} > 0
                     AND can_call AND limits_allow_call(campaign.account_id, started_by_key_id)) waiting
           WHERE free > 0) longest USING (id)
         WHERE longest.taken < freed.slots FOR NO KEY UPDATE OF campaign SKIP LOCKED) campaign),
  ended AS MATERIALIZED (SELECT end_wait_for_slot(ARRAY(SELECT id FROM woken)))
  SELECT id, account_id AS "accountId" FROM woken, ended`;
