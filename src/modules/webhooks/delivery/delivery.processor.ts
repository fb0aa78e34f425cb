import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { JobProcessor, type RowProcessor, JobQueue, type JobRow } from '#src/queue/job-queue.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { CHANNELS } from '../webhook.types.js';
import { type ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';
import { DeliveryRecorderService } from './delivery-recorder.service.js';
import { receiverOf } from './new-deliveries.service.js';
import { SendLocksService } from './send-locks.service.js';
import { WebhookSenderService } from './webhook-sender.service.js';

const SEND_TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 4 * 1024;
const OFF_REASON = 'The webhook was switched off.';

/** Makes one attempt of a delivery. */
@JobProcessor('webhook-delivery')
export class DeliveryProcessor implements RowProcessor, OnApplicationBootstrap {
  private readonly logger = new Logger(DeliveryProcessor.name);

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly queue: JobQueue,
    private readonly claims: DeliveryClaimsService,
    private readonly rows: DeliveriesRepository,
    private readonly sender: WebhookSenderService,
    private readonly recorder: DeliveryRecorderService,
    private readonly assistants: AssistantsService,
    private readonly sendLocks: SendLocksService,
  ) {}

  onApplicationBootstrap(): void {
    if (!runsJobs(this.settings)) return;
    this.sendLocks.onStop((assistantId) => {
      const later = `Deliveries of assistant ${assistantId} are cancelled when they are due`;
      this.cancelWhatIsOff(assistantId).catch(() => this.logger.warn(later));
    });
    // The service starts without it: the first delivery tries again.
    this.sendLocks.connect().catch(() => undefined);
  }

  due(limit: number): Promise<JobRow[]> {
    return this.claims.due(limit);
  }

  async process(rowId: string): Promise<void> {
    const row = await this.claims.claim(Number(rowId));
    if (!row) return;
    try {
      await this.attempt(row);
    } finally {
      this.claims.release(row);
    }
  }

  private async attempt(row: ClaimedDelivery): Promise<void> {
    const outcome = await this.sender.sendWebhook(row, {
      timeoutMs: SEND_TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      accepts: (url) => receiverOf(row.accountId, url) === row.receiver,
    });
    if (outcome.kind === 'off') return this.rows.cancel(row.id, OFF_REASON);
    if (outcome.kind === 'sent') return this.recorder.recordAttempt(row, outcome.url, outcome.result);
    const url = outcome.kind === 'moved' ? outcome.url : row.url;
    await this.rows.putBack(row, { url, receiver: receiverOf(row.accountId, url) });
    this.queue.enqueue('webhook-delivery', row);
  }

  /** Cancels deliveries at once, so that the log does not show them as pending. */
  private async cancelWhatIsOff(assistantId: number): Promise<void> {
    for (const channel of CHANNELS) {
      const target = await this.assistants.webhookTarget(assistantId, channel);
      if (!target) await this.rows.cancelAll(assistantId, channel, OFF_REASON);
    }
  }
}
