import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { JobProcessor, type RowProcessor } from '#src/queue/job-processor.js';
import { JobQueue } from '#src/queue/job-queue.js';
import type { WebhookChannel } from '../../assistants/assistant.types.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { CHANNELS } from '../webhook.types.js';
import { DeliveryRecorder } from './delivery-recorder.service.js';
import { DeliveryRows, type ClaimedDelivery, type FullParties } from './delivery-rows.service.js';
import { ReceiverPlaces } from './receiver-places.js';
import { receiverOf } from './receiver.js';
import { SendPermits } from './send-permits.service.js';
import { WebhookSender } from './webhook-sender.service.js';

const SEND_TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 4 * 1024;
export const OFF_REASON = 'The webhook was switched off.';

/** Takes a delivery one attempt further. */
@JobProcessor('webhook-delivery')
export class DeliveryProcessor implements RowProcessor, OnApplicationBootstrap {
  private readonly logger = new Logger(DeliveryProcessor.name);
  private readonly places = new ReceiverPlaces();

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly queue: JobQueue,
    private readonly rows: DeliveryRows,
    private readonly sender: WebhookSender,
    private readonly recorder: DeliveryRecorder,
    private readonly assistants: AssistantsService,
    private readonly permits: SendPermits,
  ) {}

  onApplicationBootstrap(): void {
    if (!runsJobs(this.settings)) return;
    this.permits.onStop((assistantId) => {
      this.cancelWhatIsOff(assistantId).catch(() => this.warnLater(assistantId));
    });
    // Not needed to start: the first delivery tries again.
    this.permits.connected().catch(() => undefined);
  }

  due(limit: number): Promise<string[]> {
    return this.rows.due(limit, this.full());
  }

  async process(rowId: string): Promise<void> {
    const row = await this.rows.claim(Number(rowId), this.full());
    if (!row) return;
    const place = this.places.take(row);
    // Others took the last one meanwhile; whoever gives it back looks for this row.
    if (!place) return this.rows.putBack(row);
    let wasLast = false;
    try {
      await this.attempt(row);
    } finally {
      wasLast = place.giveBack();
    }
    if (wasLast) await this.wakeNext(row.accountId);
  }

  private async attempt(row: ClaimedDelivery): Promise<void> {
    const outcome = await this.sender.send(row, {
      timeoutMs: SEND_TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      accepts: (url) => receiverOf(row.accountId, url) === row.receiver,
    });
    if (outcome.kind === 'off') return this.rows.cancel(row.id, OFF_REASON);
    if (outcome.kind === 'sent') return this.recorder.record(row, outcome.url, outcome.result);
    const url = outcome.kind === 'moved' ? outcome.url : row.url;
    await this.rows.putBack({ ...row, url, receiver: receiverOf(row.accountId, url) });
    this.queue.wake('webhook-delivery', row.id);
  }

  private async wakeNext(accountId: number): Promise<void> {
    const next = await this.rows.nextOf(accountId, this.full());
    if (next !== null) this.queue.wake('webhook-delivery', next);
  }

  /** At once, so that the log does not show as pending what will never be sent. */
  private async cancelWhatIsOff(assistantId: number): Promise<void> {
    const isOff = async (channel: WebhookChannel) =>
      (await this.assistants.webhookTarget(assistantId, channel)) === null;
    for (const channel of CHANNELS) {
      if (await isOff(channel)) await this.rows.cancelAll(assistantId, channel, OFF_REASON);
    }
  }

  private warnLater(assistantId: number): void {
    this.logger.warn(`Deliveries of assistant ${assistantId} are cancelled when they are due`);
  }

  private full(): FullParties {
    return { receivers: this.places.fullReceivers(), accounts: this.places.fullAccounts() };
  }
}
