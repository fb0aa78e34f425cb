import type { AccountView } from '../accounts/accounts.service.js';
import { callBudget, type CallBudget } from '../accounts/call-budget.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import type { StopReason } from '../campaigns/campaign.types.js';
import type { CallToOpen } from './outbound-calls.service.js';
import type { SelectedLead, Selecting } from './lead-selection.service.js';

/** A campaign that may take leads now. */
export interface AbleCampaign extends Selecting {
  /** As many as slots are free, at most `BATCH`. */
  slots: number;
  /** Of the calls that the balance pays for. */
  budgets: CallBudget[];
}

/** Or why the campaign cannot dial at all. */
export function usable(assistant: AssistantView | undefined): AssistantView | StopReason {
  if (!assistant) return 'assistant_deleted';
  return assistant.status === 'active' ? assistant : 'assistant_inactive';
}

export const turnOf = ({ campaign }: AbleCampaign): number => campaign.dialledAt?.getTime() ?? 0;

/** One call each in turn, to each at most as many as the balance pays for. */
export function deal(able: readonly AbleCampaign[], calls: number): void {
  for (let left = calls; left > 0;) {
    const open = able.filter(({ limit, budgets }) => limit < budgets.length).slice(0, left);
    if (open.length === 0) return;
    for (const one of open) one.limit++;
    left -= open.length;
  }
}

/** Whether calls that are running hold a part of the balance. */
export const isHeld = ({ balanceMicros, availableMicros }: AccountView): boolean =>
  balanceMicros !== availableMicros;

/** Of as many calls as the available balance pays at once, `most` at the most. */
export function budgetsFor(account: AccountView, wantedSeconds: number, most: number): CallBudget[] {
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

export const toCall = (
  assistant: AssistantView,
  campaign: CampaignView,
  { lead, number, from }: SelectedLead,
  budget: CallBudget | undefined,
): CallToOpen[] =>
  budget === undefined
    ? []
    : [
        {
          assistant,
          campaign: { id: campaign.id, name: campaign.name },
          lead: { id: lead.id, contactId: number.id === lead.id ? null : number.id, status: lead.status },
          from,
          to: number.phoneNumber,
          variables: { ...lead.variables, ...number.variables },
          budget,
          requestId: null,
        },
      ];
