import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CampaignView } from '../campaigns/campaign-view.js';
import type { LeadToJudge } from '../leads/lead-view.js';
import { LeadQueueService } from '../leads/lead-queue.service.js';
import { LeadWindows } from './dial-window.js';

/** Leads postponed per transaction: the account's lock is held for some ten milliseconds. */
const BATCH = 500;

/** Postpones leads that are outside their window, many in one statement. */
@Injectable()
export class ClosedLeadsService {
  constructor(private readonly leads: LeadQueueService) {}

  /** Postpones those of the campaign's next due leads that have no number that may be called now. */
  async putOff(tx: EntityManager, campaign: CampaignView): Promise<void> {
    const windows = new LeadWindows(campaign, new Date());
    const leads = await this.leads.claimToJudge(tx, campaign.id, BATCH);
    const waits = leads.map((lead) => [lead.id, untilFirstOpen(lead, campaign.maxRetries, windows)] as const);
    await this.leads.postpone(tx, new Map(waits.filter(([, wait]) => wait > 0)));
  }
}

/** Milliseconds. 0: a number may be called now, or no number is left, which the dialler handles. */
function untilFirstOpen(lead: LeadToJudge, maxRetries: number, windows: LeadWindows): number {
  const left = [lead, ...lead.contacts].filter(({ attempts }) => attempts < maxRetries);
  if (left.length === 0) return 0;
  return Math.min(
    ...left.map(({ phoneNumber }) =>
      windows.msUntilOpen({ phoneNumber, variables: { timezone: lead.timezone } }),
    ),
  );
}
