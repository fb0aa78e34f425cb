import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import { callBudget, type CallBudget } from '../accounts/call-budget.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { LeadQueueService } from '../leads/lead-queue.service.js';
import type { LeadForDialling } from '../leads/lead-view.js';
import { CallAttemptsRepository } from './call-attempts.repository.js';
import { OutboundCallsService, type OpenedCall } from './outbound-calls.service.js';
import { CallerIdService } from './caller-id.service.js';
import { ClosedLeadsService } from './closed-leads.service.js';
import { LeadWindows } from './dial-window.js';
import { DestinationsService } from './destinations.service.js';
import { nextNumber, type NumberToDial } from './retry-policy.js';

/** `skipped`: leads were postponed or settled, the next one may be dialled. `idle`: nothing to do until enqueued. */
export type DialStep = OpenedCall | 'skipped' | 'idle';

const BUSY_NUMBER_MS = 60_000;

/** Claims one lead of a campaign and writes its call and attempt, all in one transaction. */
@Injectable()
export class CampaignDialerService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
    private readonly campaigns: CampaignsService,
    private readonly leads: LeadQueueService,
    private readonly destinations: DestinationsService,
    private readonly attempts: CallAttemptsRepository,
    private readonly callerIds: CallerIdService,
    private readonly outboundCalls: OutboundCallsService,
    private readonly closedLeads: ClosedLeadsService,
  ) {}

  async next(campaignId: number): Promise<DialStep> {
    const context = await this.dialContext(campaignId);
    if (!context) return 'idle';
    // Only `tx` inside: requests that each hold one connection and wait for a second one block each other.
    return this.db.transaction(async (tx) => {
      await lockAccount(tx, context.assistant.accountId);
      const campaign = await this.campaigns.viewForDialling(tx, campaignId);
      if (!campaign || !isDialling(campaign)) return 'idle';
      const account = await this.accounts.view(campaign.accountId, tx);
      // Also null while holds of running calls use up the balance: the campaign continues when they are charged.
      const budget = callBudget(account, context.assistant.maxCallDuration);
      if (budget === null || !(await this.hasFreeSlot(tx, campaign, account))) return 'idle';
      const lead = await this.leads.claimNext(tx, campaignId);
      if (!lead) return this.finishIfEmpty(tx, campaign);
      return this.dial(tx, { ...context, campaign, account, budget, lead });
    });
  }

  /** Data that rarely changes, read before the lock is taken. Null: the campaign cannot dial at all. */
  private async dialContext(campaignId: number): Promise<DialContext | null> {
    const campaign = await this.campaigns.viewForDialling(this.db.manager, campaignId);
    if (!campaign || !isDialling(campaign)) return null;
    const assistant = await this.assistants.assistantView(campaign.accountId, campaign.assistantId);
    if (assistant?.status !== 'active') return null;
    const from = await this.callerIds.callerIdForCampaign(campaign, assistant);
    return from === null ? null : { assistant, from };
  }

  private async hasFreeSlot(
    tx: EntityManager,
    campaign: CampaignView,
    account: AccountView,
  ): Promise<boolean> {
    const live = await this.attempts.countLiveAttempts(tx, campaign.accountId, campaign.id);
    return live.account < account.plan.maxParallelCalls && live.campaign < campaign.maxCallsInParallel;
  }

  private async finishIfEmpty(tx: EntityManager, campaign: CampaignView): Promise<'idle'> {
    if (campaign.markCompleteWhenNoLeads && !(await this.leads.anyOpen(tx, campaign.id))) {
      await this.campaigns.completeCampaign(tx, campaign.id);
    }
    return 'idle';
  }

  private async dial(tx: EntityManager, claim: Claim): Promise<DialStep> {
    const { campaign, assistant, from, budget, lead } = claim;
    const target = await this.target(tx, claim);
    if (!target) return 'skipped';
    const wait = new LeadWindows(campaign, new Date()).msUntilOpen({
      phoneNumber: target.phoneNumber,
      variables: lead.variables,
    });
    if (wait > 0) {
      await this.leads.postpone(tx, new Map([[lead.id, wait]]));
      // When one lead is outside its window, most of the next ones are too.
      await this.closedLeads.putOff(tx, campaign);
      return 'skipped';
    }
    if (await this.attempts.isNumberInCall(tx, campaign.accountId, target.phoneNumber)) {
      await this.leads.postpone(tx, new Map([[lead.id, BUSY_NUMBER_MS]]));
      return 'skipped';
    }
    await this.leads.markProcessing(tx, lead.id);
    await this.leads.countAttempt(tx, target.id);
    return this.outboundCalls.createCall(tx, {
      assistant,
      campaign: { id: campaign.id, name: campaign.name },
      lead: { id: lead.id, contactId: target.id === lead.id ? null : target.id, status: lead.status },
      from,
      to: target.phoneNumber,
      variables: { ...lead.variables, ...target.variables },
      budget,
      requestId: null,
    });
  }

  /** The lead's next number that may be dialled; a lead without one gets a final status. */
  private async target(tx: EntityManager, { campaign, account, lead }: Claim): Promise<NumberToDial | null> {
    const refused = new Set<number>();
    for (;;) {
      const next = nextNumber(lead, campaign.maxRetries, refused);
      if (!next) {
        const status = refused.has(lead.id) ? 'blacklisted' : 'reached-max-retries';
        await this.leads.settleLead(tx, lead.id, { status });
        return null;
      }
      if (await this.destinations.mayDial(tx, account, next.phoneNumber)) return next;
      refused.add(next.id);
    }
  }
}

const isDialling = ({ status, dialAfter }: CampaignView): boolean =>
  status === 'in-progress' && (dialAfter === null || dialAfter <= new Date());

interface DialContext {
  assistant: AssistantView;
  from: string;
}

interface Claim extends DialContext {
  campaign: CampaignView;
  account: AccountView;
  budget: CallBudget;
  lead: LeadForDialling;
}
