import { JobProcessor, type RowProcessor, JobQueue, type JobRow } from '#src/queue/job-queue.js';
import { type ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';
import { SWITCHED_OFF_REASON } from './delivery-outcome.js';
import { DeliveryRecorderService } from './delivery-recorder.service.js';
import { receiverKeyOf } from './new-deliveries.service.js';
import { type WebhookSendOutcome, WebhookSenderService } from './webhook-sender.service.js';

const SEND_TIMEOUT_MS = 15_000;
/** Kept of the lease for recording the attempt: until then no other process may send the delivery. */
const RECORD_TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 4 * 1024;

/** Makes one attempt of a delivery. */
@JobProcessor('webhook-delivery')
export class DeliveryProcessor implements RowProcessor {
  constructor(
    private readonly queue: JobQueue,
    private readonly claims: DeliveryClaimsService,
    private readonly rows: DeliveriesRepository,
    private readonly sender: WebhookSenderService,
    private readonly recorder: DeliveryRecorderService,
  ) {}

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.claims.findDue(limit);
  }

  async process(rowId: string): Promise<void> {
    const row = await this.claims.claimDelivery(Number(rowId));
    if (row) await this.recordOutcome(row, await this.sendAndRelease(row));
  }

  /** Releases the receiver's slot before the attempt is recorded: the next delivery need not wait for the commit. */
  private async sendAndRelease(row: ClaimedDelivery): Promise<WebhookSendOutcome> {
    try {
      return await this.sender.sendWebhook(row, {
        timeoutMs: SEND_TIMEOUT_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
        accepts: (url) => receiverKeyOf(row.accountId, url) === row.receiver,
        deadline: row.leasedUntil - RECORD_TIMEOUT_MS,
      });
    } finally {
      this.claims.releaseSlot(row);
    }
  }

  private recordOutcome(row: ClaimedDelivery, outcome: WebhookSendOutcome): Promise<void> {
    if (outcome.kind === 'off') return this.rows.cancelDelivery(row.id, SWITCHED_OFF_REASON);
    if (outcome.kind === 'sent') return this.recorder.recordAttempt(row, outcome.url, outcome.result);
    return this.requeue(row, outcome.kind === 'moved' ? outcome.url : row.url);
  }

  private async requeue(row: ClaimedDelivery, url: string): Promise<void> {
    await this.rows.requeueDelivery(row, { url, receiver: receiverKeyOf(row.accountId, url) });
    this.queue.enqueue('webhook-delivery', row);
  }
}
