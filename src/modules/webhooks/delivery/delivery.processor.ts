import { JobProcessor, type RowProcessor, JobQueue, type JobRow } from '#src/queue/job-queue.js';
import { type ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';
import { OFF_REASON } from './delivery-outcome.js';
import { DeliveryRecorderService } from './delivery-recorder.service.js';
import { receiverOf } from './new-deliveries.service.js';
import { type SendOutcome, WebhookSenderService } from './webhook-sender.service.js';

const SEND_TIMEOUT_MS = 15_000;
/** Kept of the lease for recording the attempt: until then no other process may send the delivery. */
const RECORD_MS = 5_000;
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
    return this.claims.due(limit);
  }

  async process(rowId: string): Promise<void> {
    const row = await this.claims.claim(Number(rowId));
    if (row) await this.conclude(row, await this.attempt(row));
  }

  /** Its receiver's slots are free again when the request is over: another one need not wait for the record. */
  private async attempt(row: ClaimedDelivery): Promise<SendOutcome> {
    try {
      return await this.sender.sendWebhook(row, {
        timeoutMs: SEND_TIMEOUT_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
        accepts: (url) => receiverOf(row.accountId, url) === row.receiver,
        endBy: row.leasedUntil - RECORD_MS,
      });
    } finally {
      this.claims.release(row);
    }
  }

  private conclude(row: ClaimedDelivery, outcome: SendOutcome): Promise<void> {
    if (outcome.kind === 'off') return this.rows.cancel(row.id, OFF_REASON);
    if (outcome.kind === 'sent') return this.recorder.recordAttempt(row, outcome.url, outcome.result);
    return this.putBack(row, outcome.kind === 'moved' ? outcome.url : row.url);
  }

  private async putBack(row: ClaimedDelivery, url: string): Promise<void> {
    await this.rows.putBack(row, { url, receiver: receiverOf(row.accountId, url) });
    this.queue.enqueue('webhook-delivery', row);
  }
}
