import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { toDateTime } from '#src/common/time/format.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { CallRecords } from '../../calls/call-records.service.js';
import { DeliveryRows, type Attempt, type ClaimedDelivery } from './delivery-rows.service.js';
import { ReceiverHealth } from './receiver-health.service.js';
import { GONE_REASON, judge, type Verdict } from './verdict.js';

const HOPELESS_REASON = 'The receiver failed for five days: its webhook was switched off.';
/** A database that restarts must not make a delivered event look undelivered. */
const RECORD_TRIES = 10;
const RECORD_PAUSE_MS = 1_000;
/** The queue's clock and the database's need not agree to the millisecond. */
const WAKE_SLACK_MS = 10;

/** Writes what an attempt came to, and draws the consequences. */
@Injectable()
export class DeliveryRecorder {
  private readonly logger = new Logger(DeliveryRecorder.name);

  constructor(
    private readonly db: DataSource,
    private readonly queue: JobQueue,
    private readonly rows: DeliveryRows,
    private readonly health: ReceiverHealth,
    private readonly assistants: AssistantsService,
    private readonly calls: CallRecords,
  ) {}

  async record(row: ClaimedDelivery, url: string, result: OutboundResult): Promise<void> {
    const verdict = judge(result, { attempts: row.roundAttempts + 1, test: row.test });
    const hopeless = await this.write(row, toAttempt(url, result), verdict);
    if (verdict.state === 'dead' && verdict.gone) await this.switchOff(row, url, GONE_REASON);
    else if (hopeless) await this.switchOff(row, url, HOPELESS_REASON);
    else if (verdict.state === 'pending') {
      this.queue.wake('webhook-delivery', row.id, verdict.delayMs + WAKE_SLACK_MS);
    }
  }

  /** @returns whether the receiver has been failing for too long. */
  private async write(row: ClaimedDelivery, attempt: Attempt, verdict: Verdict): Promise<boolean> {
    for (let left = RECORD_TRIES; ; left--) {
      try {
        return await this.writeOnce(row, attempt, verdict);
      } catch (error) {
        if (left === 1) throw error;
        await sleep(RECORD_PAUSE_MS);
      }
    }
  }

  private writeOnce(row: ClaimedDelivery, attempt: Attempt, verdict: Verdict): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const attempts = await this.rows.record(tx, row, attempt, verdict);
      if (row.callId !== null) {
        await this.calls.setWebhookResponse(tx, row.callId, toWebhookResponse(attempt, attempts, verdict));
      }
      if (row.test) return false;
      const receiver = { assistantId: row.assistantId, channel: row.channel, url: attempt.url };
      if (verdict.state !== 'delivered') return this.health.failed(tx, receiver);
      await this.health.forget(tx, receiver);
      return false;
    });
  }

  private async switchOff(row: ClaimedDelivery, url: string, reason: string): Promise<void> {
    const { assistantId, channel } = row;
    await this.assistants.clearWebhook(assistantId, channel, url);
    // Not when its user has moved it to another URL meanwhile.
    if (await this.assistants.webhookTarget(assistantId, channel)) return;
    await this.rows.cancelAll(assistantId, channel, reason);
    await this.health.forget(this.db.manager, { assistantId, channel });
    this.logger.warn(`The ${channel} webhook of assistant ${assistantId} was switched off: ${reason}`);
  }
}

function toAttempt(url: string, result: OutboundResult): Attempt {
  const { durationMs } = result;
  return result.ok
    ? { url, statusCode: result.statusCode, responseBody: result.body, error: null, durationMs }
    : { url, statusCode: null, responseBody: null, error: `${result.error}: ${result.message}`, durationMs };
}

function toWebhookResponse(attempt: Attempt, attempts: number, verdict: Verdict): Record<string, unknown> {
  return {
    status_code: attempt.statusCode,
    body: attempt.responseBody,
    attempts,
    delivered_at: verdict.state === 'delivered' ? toDateTime(new Date()) : null,
    error: attempt.error,
  };
}
