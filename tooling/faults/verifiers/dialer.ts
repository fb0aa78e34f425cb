import type { CampaignAttempt, CampaignLead } from '../support/call-queries.js';
import type { Dial } from '../../harness/sandbox-process.js';

export interface DialerObservations {
  /** Number of leads that were added to campaigns, each with one attempt. */
  leads: number;
  dials: Dial[];
  attempts: CampaignAttempt[];
  rows: CampaignLead[];
  /** Time of the end of the last fault, in milliseconds since the epoch. */
  calmSince: number;
  /** An unanswered call releases its slot within this time after its beginning and after the last fault. */
  slotMs: number;
}

/** The carrier refuses this number as invalid. */
const INVALID_NUMBER = '+15005550001';
const FINAL_LEAD = new Set(['completed', 'reached-max-retries', 'blacklisted']);
/** Final because of a call. */
const CALLED_LEAD = new Set(['completed', 'reached-max-retries']);
const FINAL_CALL = new Set(['completed', 'busy', 'no-answer', 'failed']);

/**
 * Every attempt is dialled at most once, and so is every lead; in the end its slot is released and its lead has a
 * final status, which requires a dial.
 */
export function verifyDialer(seen: DialerObservations): string[] {
  const { leads, dials, attempts, rows } = seen;
  const byToken = new Map(attempts.map((attempt) => [attempt.token, attempt]));
  const dialled = countBy(dials.flatMap(({ token }) => token ?? []));
  const bySid = new Map(dials.map((dial) => [dial.sid, dial]));
  return [
    ...(rows.length === leads ? [] : [`${rows.length} leads stand in the database, ${leads} were given`]),
    ...(dials.length >= leads / 2 ? [] : [`only ${dials.length} dials for ${leads} leads`]),
    ...[...dialled]
      .filter(([, count]) => count > 1)
      .map(([token, count]) => `call ${byToken.get(token)?.callId ?? '?'} rang ${count} times`),
    ...dials
      .filter(({ token }) => token !== null && !byToken.has(token))
      .map(({ sid }) => `${sid} rang for no attempt`),
    ...dials.filter(({ token }) => token === null).map(({ sid }) => `${sid} rang and nobody was told`),
    ...attempts.flatMap((attempt) => problemsOf(attempt, bySid)),
    ...attempts.flatMap((attempt) => lateSlot(attempt, seen)),
    ...tooOften(dials, attempts),
    ...repeated(dials, byToken),
    ...undialled(seen).map(({ id, status, to }) => `lead ${id} (${to}) is ${status}, and was never dialled`),
    ...rows
      .filter(({ status }) => !FINAL_LEAD.has(status))
      .map(({ id, status }) => `lead ${id} is still ${status}`),
  ];
}

function problemsOf(
  { callId, token, state, status, sid }: CampaignAttempt,
  bySid: Map<string, Dial>,
): string[] {
  const dial = sid === null ? undefined : bySid.get(sid);
  return [
    ...(state === 'closed' ? [] : [`call ${callId} still holds its place`]),
    ...(FINAL_CALL.has(status) ? [] : [`call ${callId} is still ${status}`]),
    ...(sid !== null && !dial ? [`call ${callId} says that it rang as ${sid}, which it did not`] : []),
    ...(dial && dial.token !== token ? [`call ${callId} has the identifier of another call`] : []),
  ];
}

/** Time after its beginning and after the last fault until the slot is free; Infinity: it is not. */
export const slotHeldMs = ({ openedAt, closedAt }: CampaignAttempt, calmSince: number): number =>
  (closedAt ?? Infinity) - Math.max(openedAt, calmSince);

function lateSlot(attempt: CampaignAttempt, { calmSince, slotMs }: DialerObservations): string[] {
  const ms = slotHeldMs(attempt, calmSince);
  return ms <= slotMs ? [] : [`the slot of call ${attempt.callId} was free after ${Math.round(ms)} ms`];
}

/** Compares the counts by number, because a dial without a callback has no token. */
function tooOften(dials: Dial[], attempts: CampaignAttempt[]): string[] {
  const allowed = countBy(attempts.map(pairOf));
  return [...countBy(dials.map(pairOf))]
    .filter(([pair, count]) => count > (allowed.get(pair) ?? 0))
    .map(([pair, count]) => `${pair} rang ${count} times for ${allowed.get(pair) ?? 0} attempts`);
}

/** Leads whose only attempt was not the only dial. */
function repeated(dials: Dial[], byToken: Map<string, CampaignAttempt>): string[] {
  const leads = dials.flatMap(({ token }) => byToken.get(token ?? '')?.leadId ?? []);
  return [...countBy(leads)]
    .filter(([, count]) => count > 1)
    .map(([id, count]) => `lead ${id} was dialled ${count} times, once is allowed`);
}

/** Leads with a final status of a call that were never dialled, though their number is valid. */
function undialled({ dials, attempts, rows }: DialerObservations): CampaignLead[] {
  const rang = new Set(dials.map(({ token }) => token));
  const dialledLeads = new Set(attempts.filter(({ token }) => rang.has(token)).map(({ leadId }) => leadId));
  return rows.filter(
    ({ id, status, to }) => CALLED_LEAD.has(status) && to !== INVALID_NUMBER && !dialledLeads.has(id),
  );
}

const pairOf = ({ from, to }: { from: string; to: string }): string => `${from} ${to}`;

function countBy<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
