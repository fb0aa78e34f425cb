import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import { DrainService } from '#src/health/drain.service.js';
import { JobProcessor, type JobResult, type RowProcessor, type JobRow } from '#src/queue/job-queue.js';
import { CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import { CarrierRateService } from '../telephony/carrier-rate.service.js';
import { DialQueueService } from './dial-queue.service.js';
import { type OpenedCall, OutboundCallsService } from './outbound-calls.service.js';
import { CampaignDialerService } from './campaign-dialer.service.js';

/** Transactions per run; after these the campaign is enqueued again, behind the others. */
const STEPS = 10;

/** Fills a campaign's free slots; the row is the campaign. Concurrent runs are safe: a lock guards the slots. */
@JobProcessor('campaign-dial')
export class CampaignDialProcessor implements RowProcessor, BeforeApplicationShutdown {
  /** Requests to the carrier that outlive their run, so that a slow carrier does not block other campaigns. */
  private readonly placing = new Set<Promise<void>>();
  private stopping = false;
  private timer: NodeJS.Timeout | null = null;
  private readonly logger = new Logger(CampaignDialProcessor.name);

  constructor(
    private readonly queue: DialQueueService,
    private readonly dialer: CampaignDialerService,
    private readonly outboundCalls: OutboundCallsService,
    private readonly breaker: CarrierBreakerService,
    private readonly rate: CarrierRateService,
    private readonly drain: DrainService,
  ) {}

  async due(limit: number): Promise<JobRow[]> {
    if (await this.breaker.refusesCalls()) return [];
    const waitMs = await this.rate.waitMs();
    if (waitMs === 0) return this.queue.due(limit);
    this.lookIn(waitMs);
    return [];
  }

  async process(rowId: string): Promise<JobResult> {
    const result = await this.fill(Number(rowId));
    // Calls are placed after the run has returned.
    if (this.stopping) await Promise.all(this.placing);
    return result;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.timer) clearTimeout(this.timer);
    await Promise.all(this.placing);
  }

  private async fill(campaignId: number): Promise<JobResult> {
    for (let steps = 0; steps < STEPS; steps++) {
      // The campaign stays due, for another process or the next start.
      if (this.drain.draining) return 'done';
      const { calls, next } = await this.dialer.next(campaignId);
      for (const call of calls) this.place(call);
      if (next === 'later') this.lookIn(await this.rate.waitMs());
      if (next === 'waits' && (await this.queue.isSlotFree(campaignId))) continue;
      if (next !== 'again') return 'done';
    }
    return 'again';
  }

  /** When the carrier's rate allows a call again, the campaign whose turn it is gets it. */
  private lookIn(ms: number): void {
    if (this.stopping) return;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.lookOnce().catch((error: unknown) =>
        this.logger.debug(`Left to the next look-up of due rows: ${describeError(error)}`),
      );
    }, ms);
  }

  private async lookOnce(): Promise<void> {
    for (const row of await this.due(1)) this.queue.dial(row);
  }

  private place({ id, request }: OpenedCall): void {
    const placing = this.outboundCalls.placeCall(id, request).finally(() => this.placing.delete(placing));
    this.placing.add(placing);
  }
}
