import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LockedRowPolicy } from '#src/common/persistence/skip-locked-batch-loader.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { callBudget, callBudgets, hasHeldBalance, type CallBudget } from '../accounts/call-budget.js';
import {
  leavesCall,
  SpendLimitsService,
  withAllowance,
  type Spender,
} from '../accounts/spend-limits.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { CampaignDiallingService } from '../campaigns/campaign-dialling.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { assistantOrStopReason } from './dial-obstacles.js';
import { DialQueueService } from './dial-queue.service.js';
import type { SelectionRequest } from './lead-selection.service.js';

/** Leads that one transaction takes of one campaign. */
const MAX_LEADS_PER_CAMPAIGN = 25;

/**
 * `again`: there may be more to do at once. `done`: nothing until the campaign is due again. `waits`: nothing until a
 * slot is free. `later`: the carrier's rate allows no call now.
 */
export type DialStep = 'again' | 'done' | 'waits' | 'later';

/** A campaign that may take leads now. */
export interface ReadyCampaign extends SelectionRequest {
  /** As many as slots are free, at most `MAX_LEADS_PER_CAMPAIGN`. */
  slots: number;
  /** Of the calls that the balance and the limits pay for. */
  budgets: CallBudget[];
}

export interface RoundState {
  whenLocked: LockedRowPolicy;
  /** Written to. */
  next: Map<number, DialStep>;
}

interface LockRequest extends RoundState {
  campaigns: readonly CampaignView[];
  assistants: ReadonlyMap<number, AssistantView>;
}

/** Decides which campaigns may take leads, by slots, balance and spend limits. */
@Injectable()
export class ReadyCampaignsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly spendLimits: SpendLimitsService,
    private readonly campaigns: CampaignDiallingService,
    private readonly queue: DialQueueService,
  ) {}

  /** Locks accounts and campaigns. @returns campaigns that may take leads, those that had no turn for longest first */
  async lockReady(
    tx: EntityManager,
    { campaigns, assistants, whenLocked, next }: LockRequest,
  ): Promise<ReadyCampaign[]> {
    const accounts = await this.accounts.lockAccountViews(
      tx,
      campaigns.map(({ accountId }) => accountId),
      whenLocked,
    );
    const locked = campaigns.filter(({ accountId }) => accounts.has(accountId));
    const free = await this.queue.countFreeSlots(
      tx,
      locked.map(({ id }) => id),
      whenLocked,
    );
    const allowances = await this.spendLimits.findAllowances(tx, locked.map(spenderOf));
    const allowed = new Map(locked.map(({ id }, index) => [id, allowances[index] ?? null]));
    const ready: ReadyCampaign[] = [];
    const waiting: CampaignView[] = [];
    for (const campaign of campaigns) {
      const { id, accountId } = campaign;
      const [account, slotsFree] = [accounts.get(accountId), free.get(id)];
      const assistant = assistantOrStopReason(assistants.get(campaign.assistantId));
      next.set(id, 'done');
      if (!account || slotsFree === undefined) {
        if (whenLocked === 'skip') next.delete(id);
      } else if (typeof assistant === 'string') await this.campaigns.stopCampaign(tx, campaign, assistant);
      else {
        const slots = Math.min(MAX_LEADS_PER_CAMPAIGN, slotsFree);
        const allowance = allowed.get(id) ?? null;
        const limited = withAllowance(account, allowance);
        const budgets = callBudgets(limited, assistant.maxCallDuration, slots);
        const isCovered = callBudget(account, assistant.maxCallDuration) !== null;
        if (slots > 0 && !isCovered && !hasHeldBalance(account))
          await this.campaigns.stopCampaign(tx, campaign, 'balance');
        // No budget while holds of running calls use up the balance: the campaign continues when they are charged. Nor
        // at a spend limit, until the next hour.
        else if (budgets.length === 0) waiting.push(campaign);
        else ready.push({ campaign, assistant, account, slots, budgets, limit: 0 });
        if (slots > 0 && isCovered && allowance !== null && !leavesCall(account, allowance))
          await this.spendLimits.noteLimits(tx, spenderOf(campaign), account.plan.pricePerMinuteMicros);
      }
    }
    for (const { id } of waiting) next.set(id, 'waits');
    await this.campaigns.markWaitingForSlots(
      tx,
      waiting.map((campaign) => ({ campaign, isServed: false })),
    );
    return ready.sort((one, other) => lastDialledAt(one) - lastDialledAt(other));
  }
}

const spenderOf = ({ accountId, startedByKeyId }: CampaignView): Spender => ({
  accountId,
  keyId: startedByKeyId,
});

const lastDialledAt = ({ campaign }: ReadyCampaign): number => campaign.dialledAt?.getTime() ?? 0;
