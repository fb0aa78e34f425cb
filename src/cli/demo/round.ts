import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, CallSeen, Data, LeadSeen } from './api.js';
import { CALLEES } from './script.js';

/** Two requests each: below 600 a minute, the limit that a public service may set. */
const POLL_MS = 300;

/** A lead's part in this round is over: reached, or put off until later. */
const SETTLED = ['completed', 'rescheduled', 'reached-max-retries', 'blacklisted'];

export interface LeadProgress {
  phoneNumber: string;
  who: string;
  state: string;
  settled: boolean;
}

export interface Round {
  leads: LeadProgress[];
  calls: CallSeen[];
}

interface Watching {
  api: Api;
  campaignId: number;
  /** Whether the webhook of a completed call has arrived. */
  hasHeardOf(callId: number): boolean;
  show(leads: LeadProgress[]): void;
  signal: AbortSignal;
}

/** Follows the campaign until every lead is settled and every completed call's webhook is there, or the signal aborts. */
export async function watchRound({ api, campaignId, hasHeardOf, show, signal }: Watching): Promise<Round> {
  for (;;) {
    const [leads, { data: calls }] = await Promise.all([
      api.get<LeadSeen[]>(`/user/leads?campaign_id=${campaignId}`),
      api.get<Data<CallSeen[]>>(`/user/calls?campaign_id=${campaignId}&per_page=100`),
    ]);
    const round = { leads: CALLEES.map((callee) => progressOf(callee, leads, calls)), calls };
    show(round.leads);
    const told = calls.every(({ id, status }) => status !== 'completed' || hasHeardOf(id));
    if ((told && round.leads.every(({ settled }) => settled)) || signal.aborted) return round;
    await sleep(POLL_MS);
  }
}

function progressOf(
  { phoneNumber, who }: (typeof CALLEES)[number],
  leads: LeadSeen[],
  calls: CallSeen[],
): LeadProgress {
  const status = leads.find((lead) => lead.phone_number === phoneNumber)?.status ?? 'unknown';
  const call = calls.find((one) => one.client_phone_number === phoneNumber)?.status;
  const settled = SETTLED.includes(status);
  return { phoneNumber, who, settled, state: stateOf(status, call, settled) };
}

/** The call says more than the lead while there is one: `processing` → `in-progress`. */
function stateOf(lead: string, call: string | undefined, settled: boolean): string {
  if (call === undefined) return lead;
  if (!settled) return lead === 'processing' ? call : lead;
  return lead === call ? lead : `${lead} (${call})`;
}
