import type { WebhookMessage } from './webhook-sender.service.js';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import { MAX_SIGNING } from '../webhook-secrets.service.js';
import { WebhookMetricsService } from '../webhook-metrics.service.js';
import type { Attempt, DeliveryOutcome } from './delivery-outcome.js';
import type { FullParties } from './receiver-concurrency.js';
import { WAITING_DELIVERIES } from '../webhook.types.js';

export interface DueDelivery {
  id: number;
  accountId: number;
  receiver: string;
}

/** A delivery that a worker has claimed. */
export interface ClaimedDelivery extends Lease, DueDelivery, Omit<WebhookMessage, 'secrets'> {
  id: number;
  callId: number | null;
  test: boolean;
  url: string;
  /** Null: the account has no secret yet. */
  secrets: string[] | null;
  /** Failed attempts since the first or since the last replay. */
  roundAttempts: number;
}

/** Longer than a request to a receiver and the commit after it may take, see `RECORD_MS`. */
const LEASE_SECONDS = 30;
/** Rows that one statement cancels: short locks, short transactions. */
const CANCEL_BATCH = 1_000;

/** An attempt and the resulting state of its row. */
export interface Outcome {
  row: ClaimedDelivery;
  attempt: Attempt;
  verdict: DeliveryOutcome;
}

/** Whether the attempt's claim is still valid. */
const COUNTS = `(outcomes.state = 'delivered' OR (row.claims = outcomes.claim AND row.state = 'pending'))`;

/** The current secret first. */
const SECRETS = `(SELECT (array_agg(secret ORDER BY secrets.id DESC))[1:${MAX_SIGNING}] FROM webhook_secrets secrets
  WHERE secrets.account_id = waiter.account_id AND (retires_at IS NULL OR retires_at > now()))`;

/** Deliveries that are not finished. */
@Injectable()
export class DeliveriesRepository {
  private readonly rows: LeasedRows<ClaimedDelivery>;

  constructor(
    private readonly db: DataSource,
    private readonly metrics: WebhookMetricsService,
  ) {
    this.rows = new LeasedRows(db, {
      ...WAITING_DELIVERIES,
      partyIs: 'party.receiver <> ALL($3) AND party.account_id <> ALL($4)',
      rowIs: `NOT (test AND created_at > now() - make_interval(secs => ${LEASE_SECONDS}))`,
      seconds: LEASE_SECONDS,
      counter: 'claims',
      returning: `account_id AS "accountId", assistant_id AS "assistantId", call_id AS "callId", channel, event,
        webhook_id AS "webhookId", test, url, receiver, body, round_attempts AS "roundAttempts", ${SECRETS} AS secrets`,
    });
  }

  /**
   * Due rows, except those of receivers and accounts without a free slot in this process, and except test deliveries
   * that are being sent by the process that received the request.
   */
  due(limit: number, full: FullParties): Promise<JobRow[]> {
    return this.rows.read(limit, [full.receivers, full.accounts]);
  }

  /** Those of the rows that are due, claimed by nobody. */
  async dueAmong(ids: number[]): Promise<DueDelivery[]> {
    return this.db.query(
      `SELECT id, account_id AS "accountId", receiver FROM webhook_deliveries
        WHERE id = ANY($1) AND state = 'pending' AND due_at <= now() ORDER BY due_at, id`,
      [ids],
    );
  }

  /** Claims the rows that no other process has claimed. */
  claimDeliveries(ids: number[]): Promise<ClaimedDelivery[]> {
    return this.rows.claim(ids);
  }

  /** Makes the delivery due at once, to the current `url` and `receiver`. */
  putBack(row: ClaimedDelivery, current: { url: string; receiver: string }): Promise<void> {
    return this.rows.release(row, 0, current);
  }

  async cancel(id: number, reason: string): Promise<void> {
    await this.cancelWhere('id = $2', [reason, id]);
  }

  /** Cancels all pending deliveries of a channel; one that is being sent may still be delivered. */
  async cancelAll(assistantId: number, channel: WebhookChannel, reason: string): Promise<void> {
    await this.cancelWhere('assistant_id = $2 AND channel = $3', [reason, assistantId, channel]);
  }

  /**
   * Writes attempts and the resulting states. A success is always applied, a failure only while the claim is valid.
   * @returns the number of attempts of each row, by its id.
   */
  async record(tx: EntityManager, outcomes: Outcome[]): Promise<Map<number, number>> {
    const recorded: { id: number; attempts: number }[] = await tx.query(
      `WITH outcomes AS (
         SELECT * FROM json_to_recordset($1::json) AS outcome (id int, claim int, url text, state text, reason text,
           wait float, status_code int, response_body text, error text, duration_ms int)),
       rows AS (
         UPDATE webhook_deliveries row SET
           attempts = attempts + 1,
           round_attempts = round_attempts + 1,
           url = outcomes.url,
           state = CASE WHEN ${COUNTS} THEN outcomes.state ELSE row.state END,
           reason = CASE WHEN ${COUNTS} THEN outcomes.reason ELSE row.reason END,
           due_at = CASE WHEN ${COUNTS} THEN now() + make_interval(secs => outcomes.wait) ELSE due_at END,
           delivered_at = CASE WHEN outcomes.state = 'delivered' THEN now() ELSE delivered_at END
         FROM outcomes
         WHERE row.id = outcomes.id RETURNING row.id, row.attempts)
       INSERT INTO webhook_attempts (delivery_id, number, url, status_code, response_body, error, duration_ms)
       SELECT id, attempts, url, status_code, response_body, error, duration_ms FROM rows JOIN outcomes USING (id)
       RETURNING delivery_id AS id, number AS attempts`,
      [JSON.stringify(outcomes.map(toRecord))],
    );
    return new Map(recorded.map(({ id, attempts }) => [id, attempts]));
  }

  private async cancelWhere(condition: string, values: unknown[]): Promise<void> {
    for (let count = CANCEL_BATCH; count === CANCEL_BATCH;) {
      const [, cancelled]: [unknown[], number] = await this.db.query(
        `UPDATE webhook_deliveries SET state = 'cancelled', reason = $1 WHERE id IN (
           SELECT id FROM webhook_deliveries WHERE ${condition} AND state = 'pending' LIMIT ${CANCEL_BATCH} FOR UPDATE)`,
        values,
      );
      this.metrics.decided('cancelled', cancelled);
      count = cancelled;
    }
  }
}

const toRecord = ({ row, attempt, verdict }: Outcome) => ({
  id: row.id,
  claim: row.claim,
  state: verdict.state,
  reason: 'reason' in verdict ? verdict.reason : null,
  wait: 'delayMs' in verdict ? verdict.delayMs / 1000 : 0,
  url: attempt.url,
  status_code: attempt.statusCode,
  response_body: attempt.responseBody,
  error: attempt.error,
  duration_ms: attempt.durationMs,
});
