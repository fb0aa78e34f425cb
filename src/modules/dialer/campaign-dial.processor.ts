import { JobProcessor, type RowProcessor } from '#src/queue/job-queue.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { CallPlacer } from './outbound-calls.service.js';
import { CampaignDialerService } from './campaign-dialer.service.js';

/** The row is the campaign: fills its free slots. Running twice at once is harmless, the account's lock counts. */
@JobProcessor('campaign-dial')
export class CampaignDialProcessor implements RowProcessor {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly dialer: CampaignDialerService,
    private readonly placer: CallPlacer,
  ) {}

  async due(): Promise<string[]> {
    return (await this.campaigns.running()).map(String);
  }

  async process(rowId: string): Promise<void> {
    const placing: Promise<void>[] = [];
    for (;;) {
      const step = await this.dialer.next(Number(rowId));
      if (step === 'idle') break;
      if (step !== 'skipped') placing.push(this.placer.place(step.id, step.request));
    }
    await Promise.all(placing);
  }
}
