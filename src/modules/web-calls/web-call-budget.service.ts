import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TooManyRequests } from '#src/common/errors/api-error.js';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import { callBudget, type CallBudget } from '../accounts/call-budget.js';
import { SpendLimitsService, withAllowance } from '../accounts/spend-limits.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { WidgetBudgetUsed } from '../assistants/assistants.errors.js';
import { remainingVisitorBudget } from '../assistants/widget-settings.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { VisitorCallsService } from '../calls/visitor-calls.service.js';
import {
  WEB_CALL_TICKET_SECONDS,
  type LineAdmission,
} from '#src/modules/calls/states/web-call-state.service.js';
import { CallRefused } from '../dialer/dialer.errors.js';

/** Calls of one address that are begun or running, with assistants of one account. */
const MAX_OPEN_CALLS = 2;
/** Visitors of all widgets of an account together have this part of the plan's parallel calls, one at least. */
const PART_OF_PARALLEL = 4;
/** The hold of a call until its line opens. */
const TICKET_HOLD_SECONDS = 60;

/**
 * What web calls may take of an account: slots and money, visitors by the day. Its methods run under the account's
 * lock.
 */
@Injectable()
export class WebCallBudgetService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly spendLimits: SpendLimitsService,
    private readonly calls: CallsRepository,
    private readonly visitors: VisitorCallsService,
  ) {}

  /** A call with a token of the account. @throws CallRefused, SpendLimitExceeded */
  async reserveCall(
    tx: EntityManager,
    assistant: AssistantView,
    apiKeyId: number | null,
  ): Promise<CallBudget> {
    const account = await this.accounts.accountView(assistant.accountId, tx);
    const budget = await this.spendLimits.budgetOf(tx, account, apiKeyId, assistant.maxCallDuration);
    if (budget === null) throw new CallRefused('balance');
    const running = await this.calls.countRunning(tx, account.id);
    if (running >= account.plan.maxParallelCalls) throw new CallRefused('parallel');
    return budget;
  }

  /**
   * Admits a call that has no line yet: it holds a minute, and no slot.
   *
   * @param visitor identifies the visitor's address
   * @throws TooManyRequests, WidgetBudgetUsed, CallRefused, SpendLimitExceeded
   */
  async reserveTicket(tx: EntityManager, assistant: AssistantView, visitor: string): Promise<CallBudget> {
    const account = await this.accounts.accountView(assistant.accountId, tx);
    if ((await this.visitors.countCalls(tx, account.id, visitor)) >= MAX_OPEN_CALLS)
      throw new TooManyRequests(WEB_CALL_TICKET_SECONDS);
    if (await this.isFull(tx, account)) throw new CallRefused('parallel');
    if ((await this.left(tx, assistant, account)) < account.plan.pricePerMinuteMicros)
      throw new WidgetBudgetUsed();
    const budget = await this.spendLimits.budgetOf(tx, account, null, TICKET_HOLD_SECONDS);
    if (budget === null) throw new CallRefused('balance');
    return budget;
  }

  /**
   * Admits a call whose line opens: the hold and maximum duration of other calls, within the day's budget.
   *
   * @param heldMicros the present hold of the call
   */
  async admitLine(tx: EntityManager, assistant: AssistantView, heldMicros: bigint): Promise<LineAdmission> {
    const whole = await this.accounts.accountView(assistant.accountId, tx);
    const spender = { accountId: whole.id, keyId: null };
    const [allowance = null] = await this.spendLimits.findAllowances(tx, [spender]);
    const account = withAllowance(whole, allowance);
    if (await this.isFull(tx, account)) return 'plan_limit';
    const available = account.availableMicros + heldMicros;
    const left = (await this.left(tx, assistant, account)) + heldMicros;
    // What costs nothing is not in the budget.
    const isLess = left < available && account.plan.pricePerMinuteMicros > 0n;
    const budget = callBudget(
      { ...account, availableMicros: isLess ? left : available },
      assistant.maxCallDuration,
    );
    if (budget === null) return 'balance';
    return { holdMicros: budget.holdMicros, maxDuration: budget.maxDurationSeconds };
  }

  private async isFull(tx: EntityManager, { id, plan: { maxParallelCalls } }: AccountView): Promise<boolean> {
    const share = Math.max(1, Math.floor(maxParallelCalls / PART_OF_PARALLEL));
    if ((await this.visitors.countOpenLines(tx, id)) >= share) return true;
    return (await this.calls.countRunning(tx, id)) >= maxParallelCalls;
  }

  private async left(tx: EntityManager, assistant: AssistantView, account: AccountView): Promise<bigint> {
    const spent = await this.visitors.sumSpentToday(tx, assistant.id);
    return remainingVisitorBudget(assistant.widgetSettings, account.balanceMicros, spent);
  }
}
