import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import { callBudget, type CallBudget } from '../accounts/call-budget.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import type { StopReason } from '../campaigns/campaign.types.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { CallAttemptsRepository } from './call-attempts.repository.js';
import { OutboundCallsService, type CallToOpen, type OpenedCall } from './outbound-calls.service.js';
import { LeadSelectionService, type SelectedLead } from './lead-selection.service.js';

/** `skipped`: leads were postponed or settled, the next one may be dialled. `idle`: nothing to do until enqueued. */
export type DialStep = OpenedCall | 'skipped' | 'idle';

/** Claims one lead of a campaign and writes its call and attempt, all in one transaction. */
@Injectable()
export class CampaignDialerService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
    private readonly campaigns: CampaignsService,
    private readonly attempts: CallAttemptsRepository,
    private readonly selection: LeadSelectionService,
    private readonly outboundCalls: OutboundCallsService,
  ) {}

  async next(campaignId: number): Promise<DialStep> {
    const before = await this.campaigns.viewForDialling(this.db.manager, campaignId);
    if (!before || !isDialling(before)) return 'idle';
    const context = await this.dialContext(before);
    // Only `tx` inside: requests that each hold one connection and wait for a second one block each other.
    return this.db.transaction(async (tx) => {
      await lockAccount(tx, before.accountId);
      const campaign = await this.campaigns.viewForDialling(tx, campaignId);
      if (!campaign || !isDialling(campaign)) return 'idle';
      if (typeof context === 'string') return this.stop(tx, campaign, context);
      const account = await this.accounts.view(campaign.accountId, tx);
      // Also null while holds of running calls use up the balance: the campaign continues when they are charged.
      const budget = callBudget(account, context.assistant.maxCallDuration);
      const isSpent = budget === null && account.balanceMicros === account.availableMicros;
      if (isSpent) return this.stop(tx, campaign, 'balance');
      if (budget === null || !(await this.hasFreeSlot(tx, campaign, account))) return 'idle';
      const admission = await this.outboundCalls.admitCall(tx);
      if (admission === 'refused') return 'idle';
      const selected = await this.selection.selectNext(tx, campaign, account);
      if (typeof selected === 'string' && admission === 'probe') await this.outboundCalls.returnProbe(tx);
      if (selected === 'skipped') return 'skipped';
      if (selected === 'finished') await this.campaigns.completeCampaign(tx, campaignId);
      if (selected === 'finished' || selected === 'none') return 'idle';
      return this.outboundCalls.createCall(tx, toCall({ ...context, campaign, budget, selected }));
    });
  }

  private async stop(tx: EntityManager, campaign: CampaignView, reason: StopReason): Promise<'idle'> {
    await this.campaigns.stopCampaign(tx, campaign, reason);
    return 'idle';
  }

  /** Data that rarely changes, read before the lock is taken; or why the campaign cannot dial at all. */
  private async dialContext({
    accountId,
    assistantId,
    phoneNumberIds,
  }: CampaignView): Promise<DialContext | StopReason> {
    const assistant = await this.assistants.assistantView(accountId, assistantId);
    if (!assistant) return 'assistant_deleted';
    if (assistant.status !== 'active') return 'assistant_inactive';
    const from = await this.assistants.callerId(assistant, phoneNumberIds);
    return from === null ? 'no_phone_number' : { assistant, from };
  }

  private async hasFreeSlot(
    tx: EntityManager,
    campaign: CampaignView,
    account: AccountView,
  ): Promise<boolean> {
    const live = await this.attempts.countLiveAttempts(tx, campaign.accountId, campaign.id);
    return live.account < account.plan.maxParallelCalls && live.campaign < campaign.maxCallsInParallel;
  }
}

const isDialling = ({ status }: CampaignView): boolean => status === 'in-progress';

interface DialContext {
  assistant: AssistantView;
  from: string;
}

interface Claim extends DialContext {
  campaign: CampaignView;
  budget: CallBudget;
  selected: SelectedLead;
}

const toCall = ({ assistant, from, campaign, budget, selected: { lead, number } }: Claim): CallToOpen => ({
  assistant,
  campaign: { id: campaign.id, name: campaign.name },
  lead: { id: lead.id, contactId: number.id === lead.id ? null : number.id, status: lead.status },
  from,
  to: number.phoneNumber,
  variables: { ...lead.variables, ...number.variables },
  budget,
  requestId: null,
});
