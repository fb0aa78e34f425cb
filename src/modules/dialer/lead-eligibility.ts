import { isAllowedDestination } from '#src/common/phone/destinations.js';
import { keepRequestedTime, zoneKeyOf } from '../leads/zone-key.js';
import type { AccountView } from '../accounts/accounts.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import type {
  LeadGroup,
  QueuedLead,
  QueuedNumber,
  FinalLeadStatus,
} from '../leads/lead-claims.repository.js';
import type { LeadStatus } from '../leads/lead.types.js';
import type { ContactForDialling } from '../leads/lead-view.js';
import type { NumberCallState } from './call-attempts.repository.js';
import { LeadWindows } from './dial-window.js';

/** When leads that another transaction has locked are looked at again. */
const LOCKED_RETRY_MS = 1_000;

/** When a lead whose number is in a call is looked at again. */
const BUSY_NUMBER_MS = 60_000;

/** Facts of numbers by `factKey`. */
export type NumberStates = ReadonlyMap<string, NumberCallState>;

/** The decision on a due lead: a call, another time, or its end. */
export type LeadEligibility =
  | { kind: 'call' | 'closed' | 'in_call'; number: QueuedNumber; zone: string }
  | { kind: 'limited'; number: QueuedNumber; zone: string; until: Date }
  | { kind: 'settled'; result: FinalLeadStatus };

/** What leads are judged by. */
export interface EligibilityRules {
  campaign: Pick<CampaignView, 'maxRetries'>;
  account: Pick<AccountView, 'allowedCountries'>;
  windows: LeadWindows;
  numberStates: NumberStates;
  /** Whether the limits of calls to one number do not apply. */
  isExemptFromLimits: (number: ContactForDialling) => boolean;
}

/** The main number first, then the contacts in their order, each as often as the campaign allows. */
export const remainingNumbers = (
  lead: QueuedLead,
  { maxRetries }: Pick<CampaignView, 'maxRetries'>,
): QueuedNumber[] =>
  [lead, ...lead.contacts].filter(({ attempts, numberInvalid }) => attempts < maxRetries && !numberInvalid);

export const numberStateKey = (lead: { id: number }, { phoneNumber }: { phoneNumber: string }): string =>
  `${lead.id} ${phoneNumber}`;

/** Whether and at which number a lead may be called. `closed`: its window, which counts only where its zone changes. */
export function checkEligibility(
  lead: QueuedLead,
  { campaign, account, windows, numberStates: facts, isExemptFromLimits: isExempt }: EligibilityRules,
): LeadEligibility {
  const numbers = remainingNumbers(lead, campaign);
  const number = numbers.find((one) => !refusalReason(lead, one, account, facts));
  // Only the main number decides: a lead whose contacts alone were refused has had its calls.
  if (!number) {
    return {
      kind: 'settled',
      result: numbers.includes(lead)
        ? { status: 'blacklisted', lastOutcome: refusalReason(lead, lead, account, facts) }
        : { status: 'reached-max-retries', lastOutcome: null },
    };
  }
  const zone =
    lead.status === 'scheduled' ? keepRequestedTime(zoneKeyOf(number), lead.zone) : zoneKeyOf(number);
  const { isInCall = false, limitedUntil = null } = facts.get(numberStateKey(lead, number)) ?? {};
  if (msUntilLeadOpens({ ...lead, zone }, windows) !== 0) return { kind: 'closed', number, zone };
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

/** Leads taken from the queue without a call: new statuses, zones and due times by lead id. */
export interface SkippedLeads {
  settled: Map<number, FinalLeadStatus>;
  zones: Map<number, string>;
  /** Milliseconds. */
  postponed: Map<number, number>;
  limited: Map<number, number>;
}

export const newSkippedLeads = (): SkippedLeads => ({
  settled: new Map(),
  zones: new Map(),
  postponed: new Map(),
  limited: new Map(),
});

/** @returns the leads of one campaign that may be called now; the others are added to `skipped` */
export function selectCallable(
  leads: readonly QueuedLead[],
  rules: EligibilityRules,
  skipped: SkippedLeads,
): CallableLead[] {
  const selectedNumbers = new Set<string>();
  const callable: CallableLead[] = [];
  for (const lead of leads) {
    const eligibility = checkEligibility(lead, rules);
    if (eligibility.kind === 'settled') {
      skipped.settled.set(lead.id, eligibility.result);
      continue;
    }
    const { number, zone } = eligibility;
    if (zone !== lead.zone) skipped.zones.set(lead.id, zone);
    if (eligibility.kind === 'closed') continue;
    if (eligibility.kind === 'in_call' || selectedNumbers.has(number.phoneNumber))
      skipped.postponed.set(lead.id, BUSY_NUMBER_MS);
    else if (eligibility.kind === 'limited')
      skipped.limited.set(lead.id, Math.max(BUSY_NUMBER_MS, eligibility.until.getTime() - Date.now()));
    else {
      selectedNumbers.add(number.phoneNumber);
      callable.push({ lead, number });
    }
  }
  return callable;
}

/** Premium and satellite ranges and countries that the account may not call are not dialled, nor suppressed numbers. */
export function refusalReason(
  lead: { id: number },
  number: ContactForDialling,
  { allowedCountries }: Pick<AccountView, 'allowedCountries'>,
  numberStates: NumberStates,
): 'destination_not_allowed' | 'suppressed' | null {
  if (!isAllowedDestination(number.phoneNumber, allowedCountries)) return 'destination_not_allowed';
  return numberStates.get(numberStateKey(lead, number))?.isSuppressed ? 'suppressed' : null;
}

/** Milliseconds; an appointment has hours of its own. Null: never. */
export function msUntilLeadOpens(
  { status, zone }: { status: LeadStatus; zone: string | null },
  windows: LeadWindows,
): number | null {
  if (zone === null) return null;
  return status === 'scheduled' ? windows.msUntilAppointment(zone) : windows.msUntilWindowOpens(zone);
}

/**
 * When the first lead of these groups of a campaign may be called; `new`: a group's zone is not known yet; `none`: no
 * lead of them may be called one day.
 */
export function findEarliestOpening(
  groups: readonly LeadGroup[],
  campaign: CampaignView,
  now: Date,
): Date | 'new' | 'none' {
  if (groups.some(({ zone }) => zone === null)) return 'new';
  const openings = groups.map((group) => findGroupOpening(group, campaign, now)).filter((at) => at !== null);
  if (openings.length === 0) return 'none';
  const next = Math.min(...openings.map((at) => at.getTime()));
  return new Date(Math.max(next, now.getTime() + LOCKED_RETRY_MS));
}

/** Null: never. */
function findGroupOpening(group: LeadGroup, campaign: CampaignView, now: Date): Date | null {
  const due = group.dueAt > now ? group.dueAt : now;
  const wait = msUntilLeadOpens(group, new LeadWindows(campaign, due));
  return wait === null ? null : new Date(due.getTime() + wait);
}
