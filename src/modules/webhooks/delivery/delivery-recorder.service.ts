import { Injectable } from '@nestjs/common';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { WebhookMetricsService } from '../webhook-metrics.service.js';
import { AttemptsRepository, channelKey, type Outcome } from './attempts.repository.js';
import { toAttempt, GONE_REASON, classify } from './delivery-outcome.js';
import type { ClaimedDelivery } from './deliveries.repository.js';
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
    private readonly attempts: AttemptsRepository,
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
    const hopeless = await this.attempts.record(outcomes);
    return outcomes.map(({ row }) => hopeless.has(channelKey(row)));
  }
}
