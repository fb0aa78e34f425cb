import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CampaignDiallingService } from '../campaigns/campaign-dialling.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { LeadLookupService, type OpenLead } from '../leads/lead-lookup.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { CarrierCall } from '../telephony/carrier-calls.js';

/** What a call was placed for. */
export interface CallPurpose {
  accountId: number;
  lead: OpenLead;
  campaign: CampaignView;
  assistant: AssistantView;
}

/** Finds out which lead a call was placed to, by its two numbers. */
@Injectable()
export class LostCallLeadsService {
  constructor(
    private readonly db: DataSource,
    private readonly numbers: PhoneNumbersService,
    private readonly leads: LeadLookupService,
    private readonly campaigns: CampaignDiallingService,
    private readonly assistants: AssistantsService,
  ) {}

  /** @returns `unknown_number`: no account has the number that it was made from; `no_lead`: nobody waits at the other */
  async findPurpose({ from, to }: CarrierCall): Promise<CallPurpose | 'unknown_number' | 'no_lead'> {
    const number = await this.numbers.findByE164(from);
    if (number === null) return 'unknown_number';
    const { accountId, id } = number;
    const leads = await this.leads.findOpenLeads(accountId, to);
    const campaigns = await this.campaigns.findViews(
      this.db.manager,
      leads.map(({ campaignId }) => campaignId),
    );
    // Of several campaigns the first that calls from this number.
    const lead = leads.find(({ campaignId }) => mayCallFrom(campaigns.get(campaignId), id)) ?? leads[0];
    const campaign = lead && campaigns.get(lead.campaignId);
    if (!campaign) return 'no_lead';
    const assistant = (await this.assistants.assistantViews([campaign.assistantId])).get(
      campaign.assistantId,
    );
    return assistant ? { accountId, lead, campaign, assistant } : 'no_lead';
  }
}

const mayCallFrom = (campaign: CampaignView | undefined, numberId: number): boolean =>
  campaign !== undefined &&
  (campaign.phoneNumberIds.length === 0 || campaign.phoneNumberIds.includes(numberId));
