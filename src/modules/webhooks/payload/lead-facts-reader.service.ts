import { Injectable } from '@nestjs/common';
import { CampaignsService } from '../../campaigns/campaigns.service.js';
import { LeadQueueService } from '../../leads/lead-queue.service.js';
import type { LeadFacts } from './call-payload.js';

/** The lead of a call with its campaign, as both are now. */
@Injectable()
export class LeadFactsReaderService {
  constructor(
    private readonly leads: LeadQueueService,
    private readonly campaigns: CampaignsService,
  ) {}

  /** Null: the call has no lead, or it was deleted meanwhile, by itself or with its campaign. */
  async read(leadId: number | null): Promise<LeadFacts | null> {
    const lead = leadId === null ? null : await this.leads.view(leadId);
    const campaign = lead && (await this.campaigns.view(lead.campaignId));
    return campaign && { ...lead, campaign };
  }
}
