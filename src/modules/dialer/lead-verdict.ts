import { isAllowedDestination } from '#src/common/phone/destinations.js';
import { keepNamedTime, zoneKeyOf } from '../leads/zone-key.js';
import type { AccountView } from '../accounts/accounts.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import type { QueuedLead, QueuedNumber, SettledLead } from '../leads/lead-claims.repository.js';
import type { LeadStatus } from '../leads/lead.types.js';
import type { ContactForDialling } from '../leads/lead-view.js';
import type { NumberFacts } from './call-attempts.repository.js';
import type { LeadWindows } from './dial-window.js';

/** When a lead whose number is in a call is looked at again. */
const BUSY_NUMBER_MS = 60_000;

/** Facts of numbers by `factKey`. */
export type Facts = ReadonlyMap<string, NumberFacts>;

/** What a lead that is due comes to: a call, another time, or its end. */
export type LeadVerdict =
  | { kind: 'call' | 'closed' | 'in_call'; number: QueuedNumber; zone: string }
  | { kind: 'limited'; number: QueuedNumber; zone: string; until: Date }
  | { kind: 'settled'; result: SettledLead };

/** What leads are judged by. */
export interface Rules {
  campaign: Pick<CampaignView, 'maxRetries'>;
  account: Pick<AccountView, 'allowedCountries'>;
  windows: LeadWindows;
  facts: Facts;
  /** Whether the limits of calls to one number do not apply. */
  isExempt: (number: ContactForDialling) => boolean;
}

/** The main number first, then the contacts in their order, each as often as the campaign allows. */
export const numbersLeft = (
  lead: QueuedLead,
  { maxRetries }: Pick<CampaignView, 'maxRetries'>,
): QueuedNumber[] =>
  [lead, ...lead.contacts].filter(({ attempts, numberInvalid }) => attempts < maxRetries && !numberInvalid);

export const factKey = (lead: { id: number }, { phoneNumber }: { phoneNumber: string }): string =>
  `${lead.id} ${phoneNumber}`;

/** Whether and at which number a lead may be called. `closed`: its window, which counts only where its zone changes. */
export function judgeLead(
  lead: QueuedLead,
  { campaign, account, windows, facts, isExempt }: Rules,
): LeadVerdict {
  const numbers = numbersLeft(lead, campaign);
  const number = numbers.find((one) => !refusal(lead, one, account, facts));
  // Only the main number decides: a lead whose contacts alone were refused has had its calls.
  if (!number) {
    return {
      kind: 'settled',
      result: numbers.includes(lead)
        ? { status: 'blacklisted', lastOutcome: refusal(lead, lead, account, facts) }
        : { status: 'reached-max-retries', lastOutcome: null },
    };
  }
  const zone = lead.status === 'scheduled' ? keepNamedTime(zoneKeyOf(number), lead.zone) : zoneKeyOf(number);
  const { isInCall = false, limitedUntil = null } = facts.get(factKey(lead, number)) ?? {};
  if (msUntilOpen({ ...lead, zone }, windows) !== 0) return { kind: 'closed', number, zone };
  if (isInCall) return { kind: 'in_call', number, zone };
  if (limitedUntil !== null && !isExempt(number))
    return { kind: 'limited', number, zone, until: limitedUntil };
  return { kind: 'call', number, zone };
}

/** A lead that may be called, and the one of its numbers to call. */
export interface CallableLead {
  lead: QueuedLead;
  number: QueuedNumber;
}

/** What becomes of leads that are taken out of the queue but not called. */
export interface Verdicts {
  settled: Map<number, SettledLead>;
  zones: Map<number, string>;
  /** Milliseconds. */
  postponed: Map<number, number>;
  limited: Map<number, number>;
}

export const newVerdicts = (): Verdicts => ({
  settled: new Map(),
  zones: new Map(),
  postponed: new Map(),
  limited: new Map(),
});

/** @returns the leads of one campaign that may be called now; what becomes of the others is added to `verdicts` */
export function judgeLeads(leads: readonly QueuedLead[], rules: Rules, verdicts: Verdicts): CallableLead[] {
  const taken = new Set<string>();
  const callable: CallableLead[] = [];
  for (const lead of leads) {
    const verdict = judgeLead(lead, rules);
    if (verdict.kind === 'settled') {
      verdicts.settled.set(lead.id, verdict.result);
      continue;
    }
    const { number, zone } = verdict;
    if (zone !== lead.zone) verdicts.zones.set(lead.id, zone);
    if (verdict.kind === 'closed') continue;
    if (verdict.kind === 'in_call' || taken.has(number.phoneNumber))
      verdicts.postponed.set(lead.id, BUSY_NUMBER_MS);
    else if (verdict.kind === 'limited')
      verdicts.limited.set(lead.id, Math.max(BUSY_NUMBER_MS, verdict.until.getTime() - Date.now()));
    else {
      taken.add(number.phoneNumber);
      callable.push({ lead, number });
    }
  }
  return callable;
}

/** Premium and satellite ranges and countries that the account may not call are not dialled, nor suppressed numbers. */
export function refusal(
  lead: { id: number },
  number: ContactForDialling,
  { allowedCountries }: Pick<AccountView, 'allowedCountries'>,
  facts: Facts,
): 'destination_not_allowed' | 'suppressed' | null {
  if (!isAllowedDestination(number.phoneNumber, allowedCountries)) return 'destination_not_allowed';
  return facts.get(factKey(lead, number))?.isSuppressed ? 'suppressed' : null;
}

/** Milliseconds; an appointment has hours of its own. Null: never. */
export function msUntilOpen(
  { status, zone }: { status: LeadStatus; zone: string | null },
  windows: LeadWindows,
): number | null {
  if (zone === null) return null;
  return status === 'scheduled' ? windows.msUntilAppointment(zone) : windows.msUntilOpen(zone);
}
