import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { CallsRepository } from '../../calls/calls.repository.js';
import { WebhookMetricsService } from '../webhook-metrics.service.js';
import { toAttempt, toWebhookResponse, GONE_REASON, classify } from './delivery-outcome.js';
import { type ClaimedDelivery, DeliveriesRepository, type Outcome } from './deliveries.repository.js';
import { channelKey, ReceiverCircuitBreakerService } from './receiver-circuit-breaker.service.js';

const HOPELESS_REASON = 'The receiver failed for five days: its webhook was switched off.';
/** Writes are retried, so that a database restart does not lose a success. */
const RECORD_TRIES = 10;
const RECORD_PAUSE_MS = 1_000;
/** Tolerance between the clocks of queue and database. */
const WAKE_SLACK_MS = 10;
const MAX_BATCH = 100;

/** Records attempts, schedules retries and has failing receivers switched off. */
@Injectable()
export class DeliveryRecorderService {
  private readonly batches = new BatchLoader<Outcome, boolean>((outcomes) => this.write(outcomes), MAX_BATCH);

  constructor(
    private readonly db: DataSource,
    private readonly queue: JobQueue,
    private readonly rows: DeliveriesRepository,
    private readonly circuitBreaker: ReceiverCircuitBreakerService,
    private readonly calls: CallsRepository,
    private readonly metrics: WebhookMetricsService,
  ) {}

  async recordAttempt(row: ClaimedDelivery, url: string, result: OutboundResult): Promise<void> {
    const verdict = classify(result, { attempts: row.roundAttempts + 1, test: row.test });
    this.metrics.attempted(result);
    const hopeless = await this.surely({ row, attempt: toAttempt(url, result), verdict });
    this.metrics.decided(verdict.state === 'pending' ? 'retried' : verdict.state);
    const { assistantId, channel } = row;
    const receiver = { assistantId, channel, url };
    if (verdict.state === 'dead' && verdict.gone) await this.circuitBreaker.switchOff(receiver, GONE_REASON);
    else if (hopeless) await this.circuitBreaker.switchOff(receiver, HOPELESS_REASON);
    else if (verdict.state === 'pending') {
      this.queue.enqueue('webhook-delivery', row, verdict.delayMs + WAKE_SLACK_MS);
    }
  }

  /** @returns whether the receiver has been failing for too long. */
  private async surely(outcome: Outcome): Promise<boolean> {
    for (let left = RECORD_TRIES; ; left--) {
      try {
        return await this.batches.load(outcome);
      } catch (error) {
        if (left === 1) throw error;
        await sleep(RECORD_PAUSE_MS);
      }
    }
  }

  private write(outcomes: Outcome[]): Promise<boolean[]> {
    return this.db.transaction(async (tx) => {
      const attempts = await this.rows.record(tx, outcomes);
      const responses = outcomes.flatMap(({ row, attempt, verdict }) =>
        row.callId === null
          ? []
          : [[row.callId, toWebhookResponse(attempt, attempts.get(row.id) ?? 0, verdict)] as const],
      );
      if (responses.length > 0) await this.calls.setWebhookResponses(tx, new Map(responses));
      const real = outcomes.filter(({ row }) => !row.test);
      const isGood = ({ verdict }: Outcome): boolean => verdict.state === 'delivered';
      await this.circuitBreaker.reset(tx, real.filter(isGood).map(toReceiver));
      const hopeless = await this.circuitBreaker.failed(
        tx,
        real.filter((outcome) => !isGood(outcome)).map(toReceiver),
      );
      return outcomes.map((outcome) => hopeless.has(channelKey(outcome.row)));
    });
  }
}

const toReceiver = ({ row, attempt }: Outcome) => ({
  assistantId: row.assistantId,
  channel: row.channel,
  url: attempt.url,
});
