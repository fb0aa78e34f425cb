import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { MINUTE_MS } from '#src/common/time/durations.js';
import { AccountsService } from '#src/modules/accounts/accounts.service.js';
import { CampaignCallCountersService } from '#src/modules/calls/campaign-call-counters.service.js';
import {
  CampaignDataRegistryService,
  type RunningCampaign,
} from '#src/modules/campaigns/campaign-data-registry.service.js';
import { CampaignLeadsService } from '#src/modules/leads/campaign-leads.service.js';
import { LeadClaimsRepository } from '#src/modules/leads/lead-claims.repository.js';
import { estimateCampaignEnd } from './estimate-end.js';

/** Estimates when running campaigns have dialled their open leads. */
@Injectable()
export class CampaignForecastService implements OnModuleInit {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly leads: CampaignLeadsService,
    private readonly claims: LeadClaimsRepository,
    private readonly calls: CampaignCallCountersService,
    private readonly relatedData: CampaignDataRegistryService,
  ) {}

  onModuleInit(): void {
    this.relatedData.registerForecast((accountId, campaigns) => this.estimateEnds(accountId, campaigns));
  }

  /** Campaigns without an open lead or without a call that ended in the last hour are absent. */
  async estimateEnds(
    accountId: number,
    campaigns: readonly RunningCampaign[],
    now = Date.now(),
  ): Promise<Map<number, Date>> {
    const ids = campaigns.map(({ id }) => id);
    const [{ plan }, leads, due, finished, seconds] = await Promise.all([
      this.accounts.accountView(accountId),
      this.leads.countsByStatus(ids),
      this.claims.findLastDueTimes(this.db.manager, ids),
      this.calls.countFinished(accountId, ids),
      this.calls.meanCallSeconds(accountId, ids),
    ]);
    const ends = new Map<number, Date>();
    for (const { id, maxCallsInParallel, maxRetries, retryInterval } of campaigns) {
      const callSeconds = seconds.get(id);
      if (callSeconds === undefined) continue;
      const end = estimateCampaignEnd({
        now,
        leads: leads.get(id) ?? {},
        lastDue: due.get(id)?.getTime() ?? now,
        finishedCalls: finished.get(id) ?? 0,
        callMs: callSeconds * 1000,
        slots: Math.min(maxCallsInParallel, plan.maxParallelCalls),
        maxRetries,
        retryMs: retryInterval * MINUTE_MS,
      });
      if (end !== null) ends.set(id, new Date(end));
    }
    return ends;
  }
}
