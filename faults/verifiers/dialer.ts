import type { CampaignAttempt, CampaignLead } from '../support/call-queries.js';
import type { Dial } from '../support/sandbox-process.js';

export interface DialerObservations {
  /** Number of leads that were added to campaigns. */
  leads: number;
  dials: Dial[];
  attempts: CampaignAttempt[];
  rows: CampaignLead[];
}

const FINAL_LEAD = new Set(['completed', 'reached-max-retries', 'blacklisted']);
const FINAL_CALL = new Set(['completed', 'busy', 'no-answer', 'failed']);

/** Every attempt is dialled at most once; in the end its slot is released and its lead has a final status. */
export function verifyDialer({ leads, dials, attempts, rows }: DialerObservations): string[] {
  const byToken = new Map(attempts.map((attempt) => [attempt.token, attempt]));
  const dialled = new Map<string, number>();
  for (const { token } of dials) if (token !== null) dialled.set(token, (dialled.get(token) ?? 0) + 1);
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
    ...tooOften(dials, attempts),
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

/** Compares the counts by number, because a dial without a callback has no token. */
function tooOften(dials: Dial[], attempts: CampaignAttempt[]): string[] {
  const allowed = new Map<string, number>();
  for (const { from, to } of attempts) allowed.set(`${from} ${to}`, (allowed.get(`${from} ${to}`) ?? 0) + 1);
  const rang = new Map<string, number>();
  for (const { from, to } of dials) rang.set(`${from} ${to}`, (rang.get(`${from} ${to}`) ?? 0) + 1);
  return [...rang]
    .filter(([pair, count]) => count > (allowed.get(pair) ?? 0))
    .map(([pair, count]) => `${pair} rang ${count} times for ${allowed.get(pair) ?? 0} attempts`);
}

/** Number of leads with a final status that were never dialled. */
export function endedUndialled({ dials, attempts, rows }: DialerObservations): number {
  const rang = new Set(dials.map(({ token }) => token));
  const dialledLeads = new Set(attempts.filter(({ token }) => rang.has(token)).map(({ leadId }) => leadId));
  return rows.filter(({ id, status }) => FINAL_LEAD.has(status) && !dialledLeads.has(id)).length;
}
