import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import type { WhenLocked } from '#src/common/persistence/lock-skipping-batches.js';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { JobQueue, type JobRow } from '#src/queue/job-queue.js';
import type { CampaignView } from '../campaigns/campaign-view.js';

/** A slot that becomes free without an event, because its lease has expired, is found within this time. */
const SLOT_CHECK_SECONDS = 60;
/** Accounts that one statement looks up. */
const MAX_BATCH = 100;
/** Slots that are free in the account, and in the campaign. */
const FREE_IN_ACCOUNT = `plan.max_parallel_calls - (
  SELECT count(*) FROM running_calls call WHERE call.account_id = campaign.account_id)`;
const FREE_IN_CAMPAIGN = `campaign.max_calls_in_parallel - (
  SELECT count(*) FROM call_attempts attempt
   WHERE attempt.account_id = campaign.account_id AND attempt.campaign_id = campaign.id
     AND attempt.state <> 'closed' AND attempt.slot_until > now())`;
const WITH_ACCOUNT = 'campaigns campaign JOIN account_plans plan ON plan.account_id = campaign.account_id';

/** A campaign as a run has read it. */
type Seen = Pick<CampaignView, 'id' | 'updatedAt'>;
/** One that was changed since is due still. A Date has no microseconds. */
const IS_AS_SEEN = `campaigns.id = seen.id AND campaigns.updated_at
  BETWEEN seen.updated_at - interval '1 millisecond' AND seen.updated_at + interval '1 millisecond'`;

const lockOf = (whenLocked: WhenLocked): string =>
  `FOR NO KEY UPDATE OF campaign${whenLocked === 'skip' ? ' SKIP LOCKED' : ''}`;

/**
 * When campaigns in progress have something to do. Only campaigns whose time has come are looked at, so that any number
 * of others costs nothing. SQL across modules: each step is one statement, however many campaigns there are.
 */
@Injectable()
export class DialQueueService {
  /** Most calls end in accounts in which no campaign waits: one statement tells this for all that end together. */
  private readonly woken = new BatchLoader<number, number | null>(
    (accountIds) => this.wakeForSlots(accountIds),
    MAX_BATCH,
  );

  constructor(
    private readonly db: DataSource,
    private readonly jobs: JobQueue,
  ) {}

  /** At most `limit` campaigns, round robin by account; of one account, the one that took no lead for longest first. */
  due(limit: number): Promise<JobRow[]> {
    return this.db.query(
      `SELECT id, account_id AS "accountId" FROM (
         SELECT id, account_id, dialled_at,
                row_number() OVER (PARTITION BY account_id ORDER BY dialled_at NULLS FIRST, id) AS turn
           FROM campaigns WHERE status = 'in-progress' AND deleted_at IS NULL AND wake_at <= now()) due
       ORDER BY turn, dialled_at NULLS FIRST, id LIMIT $1`,
      [limit],
    );
  }

  /**
   * How many calls each campaign may begin now: less than 1, none. Absent: it is not in progress any more.
   *
   * @param whenLocked locks the campaigns until the transaction ends; those that are skipped are absent
   */
  async freeSlots(
    tx: EntityManager,
    ids: readonly number[],
    whenLocked: WhenLocked | null,
  ): Promise<Map<number, number>> {
    const rows: { id: number; slots: number }[] = await tx.query(
      `SELECT campaign.id, least(${FREE_IN_ACCOUNT}, ${FREE_IN_CAMPAIGN})::int AS slots FROM ${WITH_ACCOUNT}
        WHERE campaign.id = ANY($1) AND campaign.status = 'in-progress' AND campaign.deleted_at IS NULL
        ORDER BY campaign.id ${whenLocked === null ? '' : lockOf(whenLocked)}`,
      [ids],
    );
    return new Map(rows.map(({ id, slots }) => [id, slots]));
  }

  /**
   * Nothing happens to the campaigns until a slot of their account becomes free.
   *
   * @param isServed it took leads, and others have their turn before it
   */
  async waitForSlots(
    tx: EntityManager,
    campaigns: readonly { campaign: Seen; isServed: boolean }[],
  ): Promise<void> {
    if (campaigns.length === 0) return;
    await tx.query(
      `UPDATE campaigns SET waits_for_slot = true, wake_at = now() + make_interval(secs => $4),
              dialled_at = CASE WHEN seen.is_served THEN now() ELSE dialled_at END
         FROM unnest($1::int[], $2::timestamptz[], $3::bool[]) AS seen (id, updated_at, is_served)
        WHERE ${IS_AS_SEEN}`,
      [
        campaigns.map(({ campaign }) => campaign.id),
        campaigns.map(({ campaign }) => campaign.updatedAt),
        campaigns.map(({ isServed }) => isServed),
        SLOT_CHECK_SECONDS,
      ],
    );
  }

  /** The campaigns took leads and may take more at once, where the carrier allows it; others have their turn before them. */
  async stayDue(tx: EntityManager, campaigns: readonly Seen[]): Promise<void> {
    if (campaigns.length === 0) return;
    await tx.query(
      `UPDATE campaigns SET waits_for_slot = false, wake_at = least(wake_at, now()), dialled_at = now()
         FROM unnest($1::int[], $2::timestamptz[]) AS seen (id, updated_at) WHERE ${IS_AS_SEEN}`,
      [campaigns.map(({ id }) => id), campaigns.map(({ updatedAt }) => updatedAt)],
    );
  }

  /**
   * Makes transactions that change leads of the campaigns wait until this one ends: each change is either seen before its
   * campaign goes to sleep, or wakes it (`wake_campaign` in the database). One that is changing a lead already may wait
   * for a row of this transaction, so it is not waited for.
   *
   * @returns the campaigns that may sleep
   */
  async lockForSleep(tx: EntityManager, ids: readonly number[]): Promise<Set<number>> {
    const rows: { id: number }[] = await tx.query(
      'SELECT id FROM unnest($2::int[]) AS campaign (id) WHERE pg_try_advisory_xact_lock($1, id)',
      [ADVISORY_LOCKS.campaignSleep, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * After `lockForSleep`; the campaigns had their turn, and a slot of each is another's of its account.
   *
   * @param campaigns `at` null: nothing but a change of a lead wakes it
   */
  async sleepUntil(
    tx: EntityManager,
    campaigns: readonly { campaign: Seen & Pick<CampaignView, 'accountId'>; at: Date | null }[],
  ): Promise<void> {
    if (campaigns.length === 0) return;
    await tx.query(
      `WITH sleeping AS (
         UPDATE campaigns SET waits_for_slot = false, dialled_at = now(), wake_at = coalesce(seen.at, 'infinity')
           FROM unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) AS seen (id, updated_at, at)
          WHERE ${IS_AS_SEEN})
       ${sqlToWake('SELECT account_id, 1 FROM unnest($4::int[]) AS sleeper (account_id)', 'campaign.id <> ALL($1)')}`,
      [
        campaigns.map(({ campaign }) => campaign.id),
        campaigns.map(({ campaign }) => campaign.updatedAt),
        campaigns.map(({ at }) => at),
        campaigns.map(({ campaign }) => campaign.accountId),
      ],
    );
  }

  /**
   * After a call of the account: dials for the campaign that has waited longest for a slot, where one is free.
   *
   * @param wasPlaced after a refusal campaigns wait for the next look-up of due rows, so that refusals do not follow
   * one another at once
   */
  async dialAfterCall(accountId: number, wasPlaced: boolean): Promise<void> {
    const id = await this.woken.load(accountId);
    if (id !== null && wasPlaced) this.dial({ id, accountId });
  }

  /** After a commit that made a campaign wait: a call that ended meanwhile did not find it waiting. */
  async dialWhereFree(accountId: number): Promise<void> {
    const id = await this.woken.load(accountId);
    if (id !== null) this.dial({ id, accountId });
  }

  dial(campaign: JobRow): void {
    this.jobs.enqueue('campaign-dial', campaign);
  }

  /**
   * For the calls that ended in these accounts: where slots are free, and the balance pays for a call, the campaigns
   * that have waited longest become due, as many as can use the slots.
   *
   * @returns for each call such a campaign, or null
   */
  async wakeForSlots(accountIds: readonly number[]): Promise<(number | null)[]> {
    const ended = 'SELECT account_id, count(*) FROM unnest($1::int[]) AS call (account_id) GROUP BY 1';
    const [rows]: [{ id: number; accountId: number }[], number] = await this.db.query(
      `${sqlToWake(ended, 'true')} RETURNING campaigns.id, campaigns.account_id AS "accountId"`,
      [accountIds],
    );
    return accountIds.map((accountId) => {
      const index = rows.findIndex((row) => row.accountId === accountId);
      return index < 0 ? null : (rows.splice(index, 1)[0]?.id ?? null);
    });
  }
}

/**
 * Wakes the campaigns that have waited longest, as many as can use the slots. One that somebody has locked is passed
 * over: whoever works on it looks for free slots after the commit (`dialWhereFree`), and whoever changes it makes it due.
 *
 * @param freed SQL that selects accounts and the number of their slots that became free
 */
const sqlToWake = (freed: string, condition: string): string => `
  UPDATE campaigns SET wake_at = now(), waits_for_slot = false
    FROM (${freed}) AS freed (account_id, slots), LATERAL (
      SELECT campaign.id FROM campaigns campaign JOIN (
        SELECT id, sum(free) OVER (ORDER BY dialled_at NULLS FIRST, id) - free AS taken
          FROM (SELECT campaign.id, dialled_at, ${FREE_IN_CAMPAIGN} AS free FROM ${WITH_ACCOUNT}
                 WHERE campaign.account_id = freed.account_id AND waits_for_slot AND status = 'in-progress'
                   AND deleted_at IS NULL AND ${condition} AND ${FREE_IN_ACCOUNT} > 0 AND can_call) waiting
         WHERE free > 0) longest USING (id)
       WHERE longest.taken < freed.slots FOR NO KEY UPDATE OF campaign SKIP LOCKED) woken
   WHERE campaigns.id = woken.id`;
