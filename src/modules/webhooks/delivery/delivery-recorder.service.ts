import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { BatchLoader, assumeFewRows } from '#src/common/persistence/batches.js';
import { toDateTime } from '#src/common/time/time.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { WebhookMetricsService } from '../webhook-metrics.service.js';
import type { AssistantChannel, ClaimedDelivery } from './deliveries.repository.js';
import {
  type AttemptResult,
  decideDeliveryOutcome,
  type DeliveryOutcome,
  GONE_REASON,
  toAttemptResult,
} from './delivery-outcome.js';
import { ReceiverCircuitBreakerService } from './receiver-circuit-breaker.service.js';

const FAILING_TOO_LONG_REASON = 'The receiver failed for five days: its webhook was switched off.';
/** Writes are retried, so that a database restart does not lose a success. */
const RECORD_ATTEMPTS = 10;
const RECORD_PAUSE_MS = 1_000;
/** Tolerance between the clocks of queue and database. */
const CLOCK_TOLERANCE_MS = 10;
const MAX_BATCH = 100;
/** Attempts that end within this time are written together. */
const BATCH_DELAY_MS = 5;

/** An attempt and the resulting state of its row. */
interface RecordedAttempt {
  row: ClaimedDelivery;
  attempt: AttemptResult;
  outcome: DeliveryOutcome;
}

const MAX_FAILING_DAYS = 5;
const channelKeyOf = ({ assistantId, channel }: AssistantChannel): string => `${assistantId} ${channel}`;

/** SQL: the attempt's claim is still valid. */
const IS_CLAIM_VALID = `(outcomes.state = 'delivered' OR (row.claims = outcomes.claim AND row.state = 'pending'))`;

const RECORD = `WITH outcomes AS (
   SELECT * FROM json_to_recordset($1::json) AS outcome (id int, claim int, url text, state text, reason text,
     wait float, status_code int, response_body text, error text, duration_ms int, delivered_at text) WHERE ${assumeFewRows('id')}),
 rows AS (
   UPDATE webhook_deliveries row SET
     attempts = attempts + 1,
     round_attempts = round_attempts + 1,
     url = outcomes.url,
     state = CASE WHEN ${IS_CLAIM_VALID} THEN outcomes.state ELSE row.state END,
     reason = CASE WHEN ${IS_CLAIM_VALID} THEN outcomes.reason ELSE row.reason END,
     due_at = CASE WHEN ${IS_CLAIM_VALID} THEN now() + make_interval(secs => outcomes.wait) ELSE due_at END,
     delivered_at = CASE WHEN outcomes.state = 'delivered' THEN now() ELSE row.delivered_at END
   FROM outcomes
   WHERE row.id = outcomes.id
   RETURNING row.id, row.call_id, row.attempts, outcomes.url, status_code, response_body, error, duration_ms,
     outcomes.delivered_at),
 attempts AS (
   INSERT INTO webhook_attempts (delivery_id, number, url, status_code, response_body, error, duration_ms)
   SELECT id, attempts, url, status_code, response_body, error, duration_ms FROM rows),
 call_responses AS (
   SELECT DISTINCT ON (call_id) call_id, jsonb_build_object('status_code', status_code, 'body', response_body,
          'delivered_at', delivered_at, 'error', error, 'attempts', attempts) AS response
     FROM rows WHERE call_id IS NOT NULL ORDER BY call_id, id DESC),
 recovered_channels AS (
   DELETE FROM webhook_failures known USING json_to_recordset($2::json) AS delivered ("assistantId" int, channel text)
    WHERE known.assistant_id = delivered."assistantId" AND known.channel = delivered.channel)`;
const SET_CALL_RESPONSES = 'SELECT set_webhook_responses(array_agg(call_id), array_agg(response))';

/** For batches with failed channels; `webhook_failures.since` is the first failure without a success after it. */
const RECORD_FAILURES = `${RECORD},
 failing_channels AS (
   INSERT INTO webhook_failures AS known (assistant_id, channel, url)
   SELECT "assistantId", channel, url
     FROM json_to_recordset($3::json) AS failed ("assistantId" int, channel text, url text)
   ON CONFLICT (assistant_id, channel) DO UPDATE SET url = excluded.url,
     since = CASE WHEN known.url = excluded.url THEN known.since ELSE now() END
   RETURNING assistant_id, channel, since)
 ${SET_CALL_RESPONSES}, (
   SELECT coalesce(json_agg(json_build_object('assistantId', assistant_id, 'channel', channel)), '[]')
     FROM failing_channels WHERE since < now() - make_interval(days => ${MAX_FAILING_DAYS})) AS "failingTooLong"
  FROM call_responses`;

/** Records attempts, schedules retries and has failing receivers switched off. */
@Injectable()
export class DeliveryRecorderService {
  private readonly batches = new BatchLoader<RecordedAttempt, boolean>(
    (attempts) => this.writeBatch(attempts),
    MAX_BATCH,
    BATCH_DELAY_MS,
  );

  constructor(
    private readonly queue: JobQueue,
    private readonly db: DataSource,
    private readonly circuitBreaker: ReceiverCircuitBreakerService,
    private readonly metrics: WebhookMetricsService,
  ) {}

  async recordAttempt(row: ClaimedDelivery, url: string, result: OutboundResult): Promise<void> {
    const outcome = decideDeliveryOutcome(result, { attempts: row.roundAttempts + 1, test: row.test });
    this.metrics.observeAttempt(result);
    const recorded = { row, attempt: toAttemptResult(url, result), outcome };
    const failingTooLong = await this.batches.load(recorded).catch(() => this.retryWrite(recorded));
    this.metrics.countDeliveries(outcome.state === 'pending' ? 'retried' : outcome.state);
    const { accountId, assistantId, channel } = row;
    const receiver = { accountId, assistantId, channel, url };
    if (outcome.state === 'dead' && outcome.gone)
      await this.circuitBreaker.disableWebhook(receiver, GONE_REASON);
    else if (failingTooLong) await this.circuitBreaker.disableWebhook(receiver, FAILING_TOO_LONG_REASON);
    else if (outcome.state === 'pending') {
      this.queue.enqueue('webhook-delivery', row, outcome.delayMs + CLOCK_TOLERANCE_MS);
    }
  }

  /** @returns whether the receiver has been failing for too long. */
  private async retryWrite(recorded: RecordedAttempt): Promise<boolean> {
    for (let left = RECORD_ATTEMPTS - 1; ; left--) {
      await new Promise((resolve) => setTimeout(resolve, RECORD_PAUSE_MS));
      try {
        return await this.batches.load(recorded);
      } catch (error) {
        if (left === 1) throw error;
      }
    }
  }

  private async writeBatch(attempts: RecordedAttempt[]): Promise<boolean[]> {
    const failingTooLong = await this.writeAttempts(attempts);
    return attempts.map(({ row }) => failingTooLong.has(channelKeyOf(row)));
  }

  /**
   * Writes attempts, the states of their rows (a success always, a failure only while the claim is valid), the
   * responses in their calls and the first failure of each channel, in one statement. A success in the same batch
   * overrides a failure of its channel.
   *
   * @returns keys of channels with five days of failures and no success
   */
  private async writeAttempts(attempts: readonly RecordedAttempt[]): Promise<Set<string>> {
    const delivered = new Map<string, AssistantChannel>();
    const failed = new Map<string, AssistantChannel & { url: string }>();
    for (const { row, attempt, outcome } of attempts) {
      const { assistantId, channel, test } = row;
      if (test) continue;
      if (outcome.state === 'delivered') delivered.set(channelKeyOf(row), { assistantId, channel });
      else failed.set(channelKeyOf(row), { assistantId, channel, url: attempt.url });
    }
    for (const key of delivered.keys()) failed.delete(key);
    const values = [JSON.stringify(attempts.map(toParameters)), JSON.stringify(inKeyOrder(delivered))];
    if (failed.size === 0) {
      await this.db.query(`${RECORD} ${SET_CALL_RESPONSES} FROM call_responses`, values);
      return new Set();
    }
    const [row]: [{ failingTooLong: AssistantChannel[] }] = await this.db.query(RECORD_FAILURES, [
      ...values,
      JSON.stringify(inKeyOrder(failed)),
    ]);
    return new Set(row.failingTooLong.map(channelKeyOf));
  }
}

/** So that concurrent statements do not deadlock. */
const inKeyOrder = <T>(channels: ReadonlyMap<string, T>): T[] =>
  [...channels].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, channel]) => channel);

const toParameters = ({ row, attempt, outcome }: RecordedAttempt) => ({
  id: row.id,
  claim: row.claim,
  state: outcome.state,
  reason: 'reason' in outcome ? outcome.reason : null,
  wait: 'delayMs' in outcome ? outcome.delayMs / 1000 : 0,
  url: attempt.url,
  status_code: attempt.statusCode,
  response_body: attempt.responseBody,
  error: attempt.error,
  duration_ms: attempt.durationMs,
  delivered_at: outcome.state === 'delivered' ? toDateTime(new Date()) : null,
});
