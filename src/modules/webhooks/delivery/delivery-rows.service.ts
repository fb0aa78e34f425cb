import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import type { WebhookEvent } from '../webhook.types.js';
import type { Verdict } from './verdict.js';

/** Longer than an exchange with a receiver may take, and the commit after it. */
const LEASE_SECONDS = 30;

/** A delivery that a worker has claimed. */
export interface ClaimedDelivery {
  id: number;
  accountId: number;
  assistantId: number;
  callId: number | null;
  channel: WebhookChannel;
  event: WebhookEvent;
  webhookId: string;
  test: boolean;
  url: string;
  receiver: string;
  body: string;
  /** Failed attempts since the first or since the last replay. */
  roundAttempts: number;
  /** Tells this claim from later ones of the same row. */
  claim: number;
}

/** What one request came to. */
export interface Attempt {
  url: string;
  statusCode: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
}

const CLAIMED = `id, account_id AS "accountId", assistant_id AS "assistantId", call_id AS "callId", channel, event,
  webhook_id AS "webhookId", test, url, receiver, body, round_attempts AS "roundAttempts", claims AS claim`;

/** The rows of deliveries on their way. A claim is a lease: it moves `due_at` past the longest send. */
@Injectable()
export class DeliveryRows {
  constructor(private readonly db: DataSource) {}

  /** Ids of due rows, without those of receivers and accounts that this process cannot take more of. */
  async due(limit: number, full: FullParties): Promise<string[]> {
    const rows: { id: number }[] = await this.db.query(
      `SELECT id FROM webhook_deliveries WHERE state = 'pending' AND due_at <= now()
          AND receiver <> ALL($2) AND account_id <> ALL($3)
        ORDER BY due_at, id LIMIT $1`,
      [limit, full.receivers, full.accounts],
    );
    return rows.map(({ id }) => String(id));
  }

  /** The account's next due row of a receiver that has a place. */
  async nextOf(accountId: number, full: FullParties): Promise<number | null> {
    const [row]: { id: number }[] = await this.db.query(
      `SELECT id FROM webhook_deliveries WHERE state = 'pending' AND due_at <= now()
          AND account_id = $1 AND receiver <> ALL($2)
        ORDER BY due_at LIMIT 1`,
      [accountId, full.receivers],
    );
    return row?.id ?? null;
  }

  /** Null: not due, claimed elsewhere, done, or of a receiver that has no place. */
  async claim(id: number, full: FullParties): Promise<ClaimedDelivery | null> {
    const [rows]: [ClaimedDelivery[], number] = await this.db.query(
      `UPDATE webhook_deliveries SET claims = claims + 1, due_at = now() + make_interval(secs => $2)
        WHERE id = $1 AND state = 'pending' AND due_at <= now()
          AND receiver <> ALL($3) AND account_id <> ALL($4)
       RETURNING ${CLAIMED}`,
      [id, LEASE_SECONDS, full.receivers, full.accounts],
    );
    return rows[0] ?? null;
  }

  /** Due at once again; `url` and `receiver` are where it goes now. */
  async putBack({ id, claim, url, receiver }: ClaimedDelivery): Promise<void> {
    await this.db.query(
      `UPDATE webhook_deliveries SET due_at = now(), url = $3, receiver = $4
        WHERE id = $1 AND claims = $2 AND state = 'pending'`,
      [id, claim, url, receiver],
    );
  }

  async cancel(id: number, reason: string): Promise<void> {
    await this.db.query(
      `UPDATE webhook_deliveries SET state = 'cancelled', reason = $2 WHERE id = $1 AND state = 'pending'`,
      [id, reason],
    );
  }

  /** Cancels all that still waits for a channel; what is being sent at this moment may still be delivered. */
  async cancelAll(assistantId: number, channel: WebhookChannel, reason: string): Promise<void> {
    await this.db.query(
      `UPDATE webhook_deliveries SET state = 'cancelled', reason = $3
        WHERE assistant_id = $1 AND channel = $2 AND state = 'pending'`,
      [assistantId, channel, reason],
    );
  }

  /**
   * Writes the attempt and what it makes of the row. A success counts whoever has the row by now; a failure only
   * while the claim holds. @returns how many attempts the row has had.
   */
  async record(tx: EntityManager, row: ClaimedDelivery, attempt: Attempt, verdict: Verdict): Promise<number> {
    const { url, statusCode, responseBody, error, durationMs } = attempt;
    const [recorded]: { attempts: number }[] = await tx.query(
      `WITH row AS (
         UPDATE webhook_deliveries SET
           attempts = attempts + 1,
           round_attempts = round_attempts + 1,
           url = $2,
           state = CASE WHEN $3 = 'delivered' OR (claims = $6 AND state = 'pending') THEN $3 ELSE state END,
           reason = CASE WHEN $3 = 'delivered' OR (claims = $6 AND state = 'pending') THEN $4 ELSE reason END,
           due_at = CASE WHEN $3 = 'pending' AND claims = $6 THEN now() + make_interval(secs => $5) ELSE due_at END,
           delivered_at = CASE WHEN $3 = 'delivered' THEN now() ELSE delivered_at END
         WHERE id = $1 RETURNING id, attempts)
       INSERT INTO webhook_attempts (delivery_id, number, url, status_code, response_body, error, duration_ms)
       SELECT id, attempts, $2, $7, $8, $9, $10 FROM row RETURNING number AS attempts`,
      [
        row.id,
        url,
        verdict.state,
        'reason' in verdict ? verdict.reason : null,
        'delayMs' in verdict ? verdict.delayMs / 1000 : 0,
        row.claim,
        statusCode,
        responseBody,
        error,
        durationMs,
      ],
    );
    return recorded?.attempts ?? 0;
  }
}

/** Receivers and accounts whose places in this process are all taken. */
export interface FullParties {
  receivers: string[];
  accounts: number[];
}
