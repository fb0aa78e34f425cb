import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { BatchLoader, assumeFewRows } from '#src/common/persistence/batches.js';
import { toDateTime } from '#src/common/time/time.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { WebhookMetricsService } from '../webhook-metrics.service.js';
import type { Channel, ClaimedDelivery } from './deliveries.repository.js';
import { type Attempt, classify, type DeliveryOutcome, GONE_REASON, toAttempt } from './delivery-outcome.js';
import { ReceiverCircuitBreakerService } from './receiver-circuit-breaker.service.js';

const HOPELESS_REASON = 'The receiver failed for five days: its webhook was switched off.';
/** Writes are retried, so that a database restart does not lose a success. */
const RECORD_TRIES = 10;
const RECORD_PAUSE_MS = 1_000;
/** Tolerance between the clocks of queue and database. */
const WAKE_SLACK_MS = 10;
const MAX_BATCH = 100;
/** Attempts that end within this time are written together. */
const GATHER_MS = 5;

/** An attempt and the resulting state of its row. */
interface Outcome {
  row: ClaimedDelivery;
  attempt: Attempt;
  verdict: DeliveryOutcome;
}

const MAX_FAILING_DAYS = 5;
const channelKey = ({ assistantId, channel }: Channel): string => `${assistantId} ${channel}`;

/** Whether the attempt's claim is still valid. */
const COUNTS = `(outcomes.state = 'delivered' OR (row.claims = outcomes.claim AND row.state = 'pending'))`;

const RECORD = `WITH outcomes AS (
   SELECT * FROM json_to_recordset($1::json) AS outcome (id int, claim int, url text, state text, reason text,
     wait float, status_code int, response_body text, error text, duration_ms int, delivered_at text) WHERE ${assumeFewRows('id')}),
 rows AS (
   UPDATE webhook_deliveries row SET
     attempts = attempts + 1,
     round_attempts = round_attempts + 1,
     url = outcomes.url,
     state = CASE WHEN ${COUNTS} THEN outcomes.state ELSE row.state END,
     reason = CASE WHEN ${COUNTS} THEN outcomes.reason ELSE row.reason END,
     due_at = CASE WHEN ${COUNTS} THEN now() + make_interval(secs => outcomes.wait) ELSE due_at END,
     delivered_at = CASE WHEN outcomes.state = 'delivered' THEN now() ELSE row.delivered_at END
   FROM outcomes
   WHERE row.id = outcomes.id
   RETURNING row.id, row.call_id, row.attempts, outcomes.url, status_code, response_body, error, duration_ms,
     outcomes.delivered_at),
 attempts AS (
   INSERT INTO webhook_attempts (delivery_id, number, url, status_code, response_body, error, duration_ms)
   SELECT id, attempts, url, status_code, response_body, error, duration_ms FROM rows),
 told AS (
   SELECT DISTINCT ON (call_id) call_id, jsonb_build_object('status_code', status_code, 'body', response_body,
          'delivered_at', delivered_at, 'error', error, 'attempts', attempts) AS response
     FROM rows WHERE call_id IS NOT NULL ORDER BY call_id, id DESC),
 good AS (
   DELETE FROM webhook_failures known USING json_to_recordset($2::json) AS good ("assistantId" int, channel text)
    WHERE known.assistant_id = good."assistantId" AND known.channel = good.channel)`;
const SHOW_IN_CALLS = 'SELECT set_webhook_responses(array_agg(call_id), array_agg(response))';

/** With channels that failed: since when each of them has only failed. */
const RECORD_FAILURES = `${RECORD},
 bad AS (
   INSERT INTO webhook_failures AS known (assistant_id, channel, url)
   SELECT "assistantId", channel, url
     FROM json_to_recordset($3::json) AS bad ("assistantId" int, channel text, url text)
   ON CONFLICT (assistant_id, channel) DO UPDATE SET url = excluded.url,
     since = CASE WHEN known.url = excluded.url THEN known.since ELSE now() END
   RETURNING assistant_id, channel, since)
 ${SHOW_IN_CALLS}, (
   SELECT coalesce(json_agg(json_build_object('assistantId', assistant_id, 'channel', channel)), '[]')
     FROM bad WHERE since < now() - make_interval(days => ${MAX_FAILING_DAYS})) AS hopeless
  FROM told`;

/** Records attempts, schedules retries and has failing receivers switched off. */
@Injectable()
export class DeliveryRecorderService {
  private readonly batches = new BatchLoader<Outcome, boolean>(
    (outcomes) => this.write(outcomes),
    MAX_BATCH,
    GATHER_MS,
  );

  constructor(
    private readonly queue: JobQueue,
    private readonly db: DataSource,
    private readonly circuitBreaker: ReceiverCircuitBreakerService,
    private readonly metrics: WebhookMetricsService,
  ) {}

  async recordAttempt(row: ClaimedDelivery, url: string, result: OutboundResult): Promise<void> {
    const verdict = classify(result, { attempts: row.roundAttempts + 1, test: row.test });
    this.metrics.attempted(result);
    const outcome = { row, attempt: toAttempt(url, result), verdict };
    const hopeless = await this.batches.load(outcome).catch(() => this.tryAgain(outcome));
    this.metrics.decided(verdict.state === 'pending' ? 'retried' : verdict.state);
    const { accountId, assistantId, channel } = row;
    const receiver = { accountId, assistantId, channel, url };
    if (verdict.state === 'dead' && verdict.gone) await this.circuitBreaker.switchOff(receiver, GONE_REASON);
    else if (hopeless) await this.circuitBreaker.switchOff(receiver, HOPELESS_REASON);
    else if (verdict.state === 'pending') {
      this.queue.enqueue('webhook-delivery', row, verdict.delayMs + WAKE_SLACK_MS);
    }
  }

  /** @returns whether the receiver has been failing for too long. */
  private async tryAgain(outcome: Outcome): Promise<boolean> {
    for (let left = RECORD_TRIES - 1; ; left--) {
      await new Promise((resolve) => setTimeout(resolve, RECORD_PAUSE_MS));
      try {
        return await this.batches.load(outcome);
      } catch (error) {
        if (left === 1) throw error;
      }
    }
  }

  private async write(outcomes: Outcome[]): Promise<boolean[]> {
    const hopeless = await this.writeAttempts(outcomes);
    return outcomes.map(({ row }) => hopeless.has(channelKey(row)));
  }

  /**
   * Writes attempts and what follows from them, in one statement: the states of their rows (a success always, a failure
   * only while the claim is valid), what their calls show, and since when a channel has only failed. A channel that
   * succeeded at the same time has not failed.
   *
   * @returns keys of the channels whose URL has failed for five days without a success between
   */
  private async writeAttempts(outcomes: readonly Outcome[]): Promise<Set<string>> {
    const good = new Map<string, Channel>();
    const bad = new Map<string, Channel & { url: string }>();
    for (const { row, attempt, verdict } of outcomes) {
      const { assistantId, channel, test } = row;
      if (test) continue;
      if (verdict.state === 'delivered') good.set(channelKey(row), { assistantId, channel });
      else bad.set(channelKey(row), { assistantId, channel, url: attempt.url });
    }
    for (const key of good.keys()) bad.delete(key);
    const values = [JSON.stringify(outcomes.map(toRecord)), JSON.stringify(inOrder(good))];
    if (bad.size === 0) {
      await this.db.query(`${RECORD} ${SHOW_IN_CALLS} FROM told`, values);
      return new Set();
    }
    const [row]: [{ hopeless: Channel[] }] = await this.db.query(RECORD_FAILURES, [
      ...values,
      JSON.stringify(inOrder(bad)),
    ]);
    return new Set(row.hopeless.map(channelKey));
  }
}

/** So that concurrent statements do not deadlock. */
const inOrder = <T>(channels: ReadonlyMap<string, T>): T[] =>
  [...channels].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, channel]) => channel);

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
  delivered_at: verdict.state === 'delivered' ? toDateTime(new Date()) : null,
});
