import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import { callBudget, type CallBudget } from '../accounts/call-budget.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import type { StopReason } from '../campaigns/campaign.types.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { DialQueueService } from './dial-queue.service.js';
import { OutboundCallsService, type CallToOpen, type OpenedCall } from './outbound-calls.service.js';
import type { Obstacle } from './dto/campaign-preview.response.js';
import { LeadSelectionService, type SelectedLead } from './lead-selection.service.js';

/** Leads that one transaction takes. */
const BATCH = 25;

/** What one transaction did for a campaign. */
export interface DialStep {
  /** To be placed after the commit. */
  calls: OpenedCall[];
  /**
   * `again`: there may be more to do at once. `done`: nothing until the campaign is due again. `waits`: nothing until a
   * slot is free. `later`: the carrier's rate allows no call now.
   */
  next: 'again' | 'done' | 'waits' | 'later';
}

const DONE: DialStep = { calls: [], next: 'done' };
const WAITS: DialStep = { calls: [], next: 'waits' };
const LATER: DialStep = { calls: [], next: 'later' };
const AGAIN: DialStep = { calls: [], next: 'again' };

/** Claims leads for a campaign's free slots and writes their calls and attempts, all in one transaction. */
@Injectable()
export class CampaignDialerService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
    private readonly campaigns: CampaignsService,
    private readonly selection: LeadSelectionService,
    private readonly outboundCalls: OutboundCallsService,
    private readonly queue: DialQueueService,
  ) {}

  async next(campaignId: number): Promise<DialStep> {
    const campaign = await this.campaigns.viewForDialling(this.db.manager, campaignId);
    if (campaign?.status !== 'in-progress') return DONE;
    const assistant = await this.assistantOf(campaign);
    // Only `tx` inside: requests that each hold one connection and wait for a second one block each other.
    return this.db.transaction(async (tx) => {
      const account = await this.accounts.lockedView(tx, campaign.accountId);
      const free = await this.queue.freeSlots(tx, campaign, account.plan.maxParallelCalls);
      if (free === null) return DONE;
      if (typeof assistant === 'string') return this.stop(tx, campaign, assistant);
      const slots = Math.min(BATCH, free);
      const budgets = budgetsFor(account, assistant.maxCallDuration, slots);
      const isSpent = slots > 0 && budgets.length === 0 && !isHeld(account);
      if (isSpent) return this.stop(tx, campaign, 'balance');
      // No budget while holds of running calls use up the balance: the campaign goes on when they are charged.
      if (budgets.length === 0) return this.waitForSlot(tx, campaign);
      const admission = await this.outboundCalls.admitCall(tx);
      // The campaign stays due, which costs nothing while the carrier fails.
      if (admission === 'refused') return DONE;
      const limit = await this.outboundCalls.takeFromRate(tx, admission === 'probe' ? 1 : budgets.length);
      if (limit === 0) return LATER;
      const { selected, isDone } = await this.selection.selectNext(
        tx,
        { campaign, assistant, account },
        limit,
      );
      await this.outboundCalls.giveBackToRate(tx, limit - selected.length);
      if (selected.length === 0) {
        if (admission === 'probe') await this.outboundCalls.returnProbe(tx);
        return isDone ? this.sleep(tx, campaign) : AGAIN;
      }
      const calls = selected.flatMap((lead, index) => {
        const budget = budgets[index];
        return budget ? toCall(assistant, campaign, lead, budget) : [];
      });
      const opened = await this.outboundCalls.createCalls(tx, calls);
      const isFull = selected.length === slots;
      if (!isFull && isDone) return { ...(await this.sleep(tx, campaign)), calls: opened };
      await this.queue.waitForSlot(tx, campaign, true);
      return { calls: opened, next: isFull ? 'waits' : 'again' };
    });
  }

  /** What `next` would meet now, but for the carrier; nothing is changed. `slots`: calls that may begin now. */
  async outlook(campaign: CampaignView): Promise<{ obstacle: Obstacle | null; slots: number }> {
    if (campaign.status !== 'in-progress') return { obstacle: 'not_in_progress', slots: 0 };
    const assistant = await this.assistantOf(campaign);
    if (typeof assistant === 'string') return { obstacle: assistant, slots: 0 };
    const account = await this.accounts.view(campaign.accountId);
    const free = await this.queue.freeSlots(this.db.manager, campaign, account.plan.maxParallelCalls);
    if (free === null) return { obstacle: 'not_in_progress', slots: 0 };
    if (free <= 0) return { obstacle: 'no_free_slot', slots: 0 };
    const { length: slots } = budgetsFor(account, assistant.maxCallDuration, free);
    if (slots > 0) return { obstacle: null, slots };
    return { obstacle: isHeld(account) ? 'balance_held' : 'balance', slots };
  }

  private async stop(tx: EntityManager, campaign: CampaignView, reason: StopReason): Promise<DialStep> {
    await this.campaigns.stopCampaign(tx, campaign, reason);
    return DONE;
  }

  private async waitForSlot(tx: EntityManager, campaign: CampaignView): Promise<DialStep> {
    await this.queue.waitForSlot(tx, campaign, false);
    return WAITS;
  }

  /** No lead may be called now: the campaign waits for the next one, or is completed. Its slot is another's. */
  private async sleep(tx: EntityManager, campaign: CampaignView): Promise<DialStep> {
    const { id, accountId, markCompleteWhenNoLeads } = campaign;
    await this.queue.lockForSleep(tx, id);
    const opening = await this.selection.nextOpening(tx, campaign);
    if (opening === 'new') return AGAIN;
    if (opening === 'none' && markCompleteWhenNoLeads) await this.campaigns.completeCampaign(tx, id);
    await this.queue.sleepUntil(tx, campaign, opening instanceof Date ? opening : null);
    await this.queue.wakeForSlot(tx, accountId);
    return DONE;
  }

  /** Data that rarely changes, read before the lock is taken; or why the campaign cannot dial at all. */
  private async assistantOf(campaign: CampaignView): Promise<AssistantView | StopReason> {
    const assistant = await this.assistants.assistantView(campaign.accountId, campaign.assistantId);
    if (!assistant) return 'assistant_deleted';
    if (assistant.status !== 'active') return 'assistant_inactive';
    return (await this.selection.hasCaller(campaign, assistant)) ? assistant : 'no_phone_number';
  }
}

/** Whether calls that are running hold a part of the balance. */
const isHeld = ({ balanceMicros, availableMicros }: AccountView): boolean =>
  balanceMicros !== availableMicros;

/** Of as many calls as the available balance pays at once, `most` at the most. */
function budgetsFor(account: AccountView, wantedSeconds: number, most: number): CallBudget[] {
  const { plan } = account;
  const budgets: CallBudget[] = [];
  for (let { availableMicros } = account; budgets.length < most;) {
    const budget = callBudget({ availableMicros, plan }, wantedSeconds);
    if (budget === null) break;
    budgets.push(budget);
    availableMicros -= budget.holdMicros;
  }
  return budgets;
}

const toCall = (
  assistant: AssistantView,
  campaign: CampaignView,
  { lead, number, from }: SelectedLead,
  budget: CallBudget,
): CallToOpen => ({
  assistant,
  campaign: { id: campaign.id, name: campaign.name },
  lead: { id: lead.id, contactId: number.id === lead.id ? null : number.id, status: lead.status },
  from,
  to: number.phoneNumber,
  variables: { ...lead.variables, ...number.variables },
  budget,
  requestId: null,
});
