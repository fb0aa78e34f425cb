import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service.js';
import { callBudget, callBudgets, hasHeldBalance } from '../accounts/call-budget.js';
import { SpendLimitsService, withAllowance } from '../accounts/spend-limits.service.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { assistantOrStopReason, type DialObstacle } from './dial-obstacles.js';
import { DialQueueService } from './dial-queue.service.js';
import { LeadSelectionService } from './lead-selection.service.js';

export interface DialForecast {
  obstacle: DialObstacle | null;
  /** Calls that may begin now. */
  slots: number;
}

/** Predicts what the dialler would do; changes nothing. */
@Injectable()
export class DialForecastService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly spendLimits: SpendLimitsService,
    private readonly assistants: AssistantsService,
    private readonly selection: LeadSelectionService,
    private readonly queue: DialQueueService,
  ) {}

  /** The obstacle that `dialNext` would meet now, except the carrier. */
  async forecastDial(campaign: CampaignView): Promise<DialForecast> {
    if (campaign.status !== 'in-progress') return { obstacle: 'not_in_progress', slots: 0 };
    const assistants = await this.assistants.assistantViews([campaign.assistantId]);
    const assistant = assistantOrStopReason(assistants.get(campaign.assistantId));
    if (typeof assistant === 'string') return { obstacle: assistant, slots: 0 };
    const hasCaller = await this.selection.hasCallerNumber(this.db.manager, campaign, assistant);
    if (!hasCaller) return { obstacle: 'no_phone_number', slots: 0 };
    const free = (await this.queue.countFreeSlots(this.db.manager, [campaign.id], null)).get(campaign.id);
    if (free === undefined) return { obstacle: 'not_in_progress', slots: 0 };
    if (free <= 0) return { obstacle: 'no_free_slot', slots: 0 };
    const account = await this.accounts.accountView(campaign.accountId);
    const spender = { accountId: account.id, keyId: campaign.startedByKeyId };
    const [allowance = null] = await this.spendLimits.findAllowances(this.db.manager, [spender]);
    const limited = withAllowance(account, allowance);
    const { length: slots } = callBudgets(limited, assistant.maxCallDuration, free);
    if (slots > 0) return { obstacle: null, slots };
    if (callBudget(account, assistant.maxCallDuration) !== null) return { obstacle: 'spend_limit', slots };
    return { obstacle: hasHeldBalance(account) ? 'balance_held' : 'balance', slots };
  }
}
