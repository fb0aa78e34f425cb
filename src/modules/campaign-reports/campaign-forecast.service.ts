import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountsService } from '#src/modules/accounts/accounts.service.js';
import { CampaignCallCountersService } from '#src/modules/calls/campaign-call-counters.service.js';
import {
  CampaignRelatedDataService,
  type RunningCampaign,
} from '#src/modules/campaigns/campaign-related-data.service.js';
import { CampaignLeadsService } from '#src/modules/leads/campaign-leads.service.js';

/** Estimates when running campaigns have dialled their open leads. */
@Injectable()
export class CampaignForecastService implements OnModuleInit {
  constructor(
    private readonly accounts: AccountsService,
    private readonly leads: CampaignLeadsService,
    private readonly calls: CampaignCallCountersService,
    private readonly relatedData: CampaignRelatedDataService,
  ) {}

  onModuleInit(): void {
    this.relatedData.registerForecast((accountId, campaigns) => this.estimateEnds(accountId, campaigns));
  }

  /**
   * As if each open lead took one more call, all slots were in use from now on and the campaigns did not share them.
   * Campaigns without an open lead or without a call that ended in the last hour are absent.
   */
  async estimateEnds(
    accountId: number,
    campaigns: readonly RunningCampaign[],
    now = Date.now(),
  ): Promise<Map<number, Date>> {
    const ids = campaigns.map(({ id }) => id);
    const [{ plan }, open, seconds] = await Promise.all([
      this.accounts.accountView(accountId),
      this.leads.countOpen(ids),
      this.calls.meanSeconds(accountId, ids),
    ]);
    const ends = new Map<number, Date>();
    for (const { id, maxCallsInParallel } of campaigns) {
      const [leads, mean] = [open.get(id) ?? 0, seconds.get(id)];
      const slots = Math.min(maxCallsInParallel, plan.maxParallelCalls);
      if (leads > 0 && mean !== undefined && slots > 0)
        ends.set(id, new Date(now + (leads * mean * 1000) / slots));
    }
    return ends;
  }
}
