import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { JobQueue, type JobRow } from '#src/queue/job-queue.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { sqlOfRunning } from '../calls/calls.repository.js';

/** A slot that becomes free without an event, because its lease has expired, is found within this time. */
const SLOT_CHECK_SECONDS = 60;
/** Accounts that one statement looks up. */
const MAX_BATCH = 100;
const IS_RUNNING = sqlOfRunning('call');
/** As `callBudget` has it. */
const CAN_PAY = `account.balance_micros > account.held_micros
  AND account.balance_micros - account.held_micros >= plan.price_per_minute_micros`;

/** A campaign as a run has read it. */
type Seen = Pick<CampaignView, 'id' | 'updatedAt'>;
/** One that was changed since is due still. A Date has no microseconds. */
const IS_AS_SEEN = `id = $1
  AND updated_at BETWEEN $2::timestamptz - interval '1 millisecond' AND $2::timestamptz + interval '1 millisecond'`;

/**
 * When campaigns in progress have something to do. Only campaigns whose time has come are looked at, so that any number
 * of others costs nothing. SQL across modules: each step is one statement.
 */
@Injectable()
export class DialQueueService {
  /** Most calls end in accounts in which no campaign waits: one statement tells this for all that end together. */
  private readonly waiting = new BatchLoader<number, boolean>(
    (accounts) => this.whichWait(accounts),
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

  /** How many calls the campaign may begin now: less than 1, none. Null: it is not in progress any more. */
  async freeSlots(
    tx: EntityManager,
    { id, accountId, maxCallsInParallel }: Pick<CampaignView, 'id' | 'accountId' | 'maxCallsInParallel'>,
    maxOfAccount: number,
  ): Promise<number | null> {
    const [row]: { slots: number }[] = await tx.query(
      `SELECT least($3 - (SELECT count(*) FROM calls WHERE account_id = $1 AND ${sqlOfRunning('calls')}),
                    $4 - (SELECT count(*) FROM call_attempts WHERE account_id = $1 AND campaign_id = $2
                             AND state <> 'closed' AND slot_until > now()))::int AS slots
         FROM campaigns WHERE id = $2 AND status = 'in-progress' AND deleted_at IS NULL`,
      [accountId, id, maxOfAccount, maxCallsInParallel],
    );
    return row?.slots ?? null;
  }

  /**
   * Nothing happens to the campaign until a slot of the account becomes free.
   *
   * @param isServed it took leads, and others have their turn before it
   */
  async waitForSlot(tx: EntityManager, { id, updatedAt }: Seen, isServed: boolean): Promise<void> {
    await tx.query(
      `UPDATE campaigns SET waits_for_slot = true, wake_at = now() + make_interval(secs => $3),
              dialled_at = CASE WHEN $4 THEN now() ELSE dialled_at END
        WHERE ${IS_AS_SEEN}`,
      [id, updatedAt, SLOT_CHECK_SECONDS, isServed],
    );
  }

  /**
   * After a run that made the campaign wait for a slot has committed: whether there is one already. The call that ended
   * meanwhile did not find the campaign waiting.
   */
  async isSlotFree(id: number): Promise<boolean> {
    const rows: unknown[] = await this.db.query(
      `SELECT 1 FROM campaigns campaign
         JOIN accounts account ON account.id = campaign.account_id JOIN plans plan ON plan.id = account.plan_id
        WHERE campaign.id = $1 AND waits_for_slot AND ${CAN_PAY}
          AND plan.max_parallel_calls > (
            SELECT count(*) FROM calls call WHERE call.account_id = campaign.account_id AND ${IS_RUNNING})
          AND max_calls_in_parallel > (
            SELECT count(*) FROM call_attempts attempt
             WHERE attempt.account_id = campaign.account_id AND attempt.campaign_id = $1
               AND attempt.state <> 'closed' AND attempt.slot_until > now())`,
      [id],
    );
    return rows.length > 0;
  }

  /**
   * Makes leads that are being added wait until the transaction ends: before the campaign goes to sleep, everything
   * that was added is seen.
   */
  async lockForSleep(tx: EntityManager, id: number): Promise<void> {
    await tx.query('SELECT 1 FROM campaigns WHERE id = $1 FOR UPDATE', [id]);
  }

  /** After `lockForSleep`; the campaign had its turn. @param at null: nothing but a change of a lead wakes it */
  async sleepUntil(tx: EntityManager, { id, updatedAt }: Seen, at: Date | null): Promise<void> {
    await tx.query(
      `UPDATE campaigns SET waits_for_slot = false, dialled_at = now(), wake_at = coalesce($3::timestamptz, 'infinity')
        WHERE ${IS_AS_SEEN}`,
      [id, updatedAt, at],
    );
  }

  /**
   * After a call of the account: dials for the campaign that has waited longest for a slot, where one is free.
   *
   * @param wasPlaced after a refusal campaigns wait for the next look-up of due rows, so that refusals do not follow
   * one another at once
   */
  async dialAfterCall(accountId: number, wasPlaced: boolean): Promise<void> {
    if (!(await this.waiting.load(accountId))) return;
    const id = await this.wakeForSlot(this.db.manager, accountId);
    if (id !== null && wasPlaced) this.dial({ id, accountId });
  }

  private async whichWait(accountIds: number[]): Promise<boolean[]> {
    const rows: { id: number }[] = await this.db.query(
      'SELECT DISTINCT account_id AS id FROM campaigns WHERE account_id = ANY($1) AND waits_for_slot',
      [accountIds],
    );
    const waiting = new Set(rows.map(({ id }) => id));
    return accountIds.map((id) => waiting.has(id));
  }

  dial(campaign: JobRow): void {
    this.jobs.enqueue('campaign-dial', campaign);
  }

  /**
   * Where a slot is free, and the balance pays for a call, the campaign that has waited longest becomes due.
   *
   * @returns that campaign
   */
  async wakeForSlot(db: EntityManager, accountId: number): Promise<number | null> {
    const [[woken]]: [{ id: number }[], number] = await db.query(
      `UPDATE campaigns SET wake_at = now(), waits_for_slot = false WHERE id = (
         SELECT campaign.id FROM campaigns campaign
           JOIN accounts account ON account.id = campaign.account_id JOIN plans plan ON plan.id = account.plan_id
          WHERE campaign.account_id = $1 AND waits_for_slot AND status = 'in-progress' AND deleted_at IS NULL
            AND max_calls_in_parallel > (
              SELECT count(*) FROM call_attempts attempt
               WHERE attempt.account_id = $1 AND attempt.campaign_id = campaign.id
                 AND attempt.state <> 'closed' AND attempt.slot_until > now())
            AND plan.max_parallel_calls > (
              SELECT count(*) FROM calls call WHERE call.account_id = $1 AND ${IS_RUNNING})
            AND ${CAN_PAY}
          ORDER BY dialled_at NULLS FIRST, campaign.id LIMIT 1 FOR UPDATE OF campaign)
       RETURNING id`,
      [accountId],
    );
    return woken?.id ?? null;
  }
}
