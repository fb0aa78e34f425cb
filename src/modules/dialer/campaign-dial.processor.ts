import type { BeforeApplicationShutdown } from '@nestjs/common';
import { JobProcessor, type JobResult, type RowProcessor, type JobRow } from '#src/queue/job-queue.js';
import { type OpenedCall, OutboundCallsService } from './outbound-calls.service.js';
import { CampaignDialerService } from './campaign-dialer.service.js';
import { DueCampaignsService } from './due-campaigns.service.js';

/** Transactions per run; after these the campaign is enqueued again, behind the others. */
const STEPS = 10;

/** Fills a campaign's free slots; the row is the campaign. Concurrent runs are safe: a lock guards the slots. */
@JobProcessor('campaign-dial')
export class CampaignDialProcessor implements RowProcessor, BeforeApplicationShutdown {
  /** Requests to the carrier that outlive their run, so that a slow carrier does not block other campaigns. */
  private readonly placing = new Set<Promise<void>>();
  private stopping = false;

  constructor(
    private readonly campaigns: DueCampaignsService,
    private readonly dialer: CampaignDialerService,
    private readonly outboundCalls: OutboundCallsService,
  ) {}

  due(limit: number): Promise<JobRow[]> {
    return this.campaigns.find(limit);
  }

  async process(rowId: string): Promise<JobResult> {
    const result = await this.fill(Number(rowId));
    // Calls are placed after the run has returned.
    if (this.stopping) await Promise.all(this.placing);
    return result;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.placing);
  }

  private async fill(campaignId: number): Promise<JobResult> {
    for (let steps = 0; steps < STEPS; steps++) {
      const step = await this.dialer.next(campaignId);
      if (step === 'idle') return 'done';
      if (step !== 'skipped') this.place(step);
    }
    return 'again';
  }

  private place({ id, request }: OpenedCall): void {
    const placing = this.outboundCalls.placeCall(id, request).finally(() => this.placing.delete(placing));
    this.placing.add(placing);
  }
}
