import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoApi, DemoCall, DataResponse, DemoLead } from './api.js';
import { DEMO_CALLEES } from './scenario.js';

/** Two requests per poll: 400 a minute, below a rate limit of 600. */
const POLL_MS = 300;

/** Lead states in which no further call is placed during the demo. */
const SETTLED = ['completed', 'rescheduled', 'reached-max-retries', 'blacklisted'];

export interface LeadProgress {
  phoneNumber: string;
  who: string;
  state: string;
  settled: boolean;
}

export interface CampaignRun {
  leads: LeadProgress[];
  calls: DemoCall[];
}

interface WatchOptions {
  api: DemoApi;
  campaignId: number;
  /** Whether the webhook of a completed call has arrived. */
  hasWebhookOf(callId: number): boolean;
  show(leads: LeadProgress[]): void;
  signal: AbortSignal;
}

/** Polls until every lead is settled and the webhook of every completed call has arrived, or the signal aborts. */
export async function watchDemoCampaign({
  api,
  campaignId,
  hasWebhookOf,
  show,
  signal,
}: WatchOptions): Promise<CampaignRun> {
  for (;;) {
    const [leads, { data: calls }] = await Promise.all([
      api.get<DemoLead[]>(`/user/leads?campaign_id=${campaignId}`),
      api.get<DataResponse<DemoCall[]>>(`/user/calls?campaign_id=${campaignId}&per_page=100`),
    ]);
    const run = { leads: DEMO_CALLEES.map((callee) => progressOf(callee, leads, calls)), calls };
    show(run.leads);
    const delivered = calls.every(({ id, status }) => status !== 'completed' || hasWebhookOf(id));
    if ((delivered && run.leads.every(({ settled }) => settled)) || signal.aborted) return run;
    await sleep(POLL_MS);
  }
}

function progressOf(
  { phoneNumber, who }: (typeof DEMO_CALLEES)[number],
  leads: DemoLead[],
  calls: DemoCall[],
): LeadProgress {
  const status = leads.find((lead) => lead.phone_number === phoneNumber)?.status ?? 'unknown';
  const call = calls.find((one) => one.client_phone_number === phoneNumber)?.status;
  const settled = SETTLED.includes(status);
  return { phoneNumber, who, settled, state: stateOf(status, call, settled) };
}

/** The status of the call is more precise than the lead's: `processing` → `in-progress`. */
function stateOf(lead: string, call: string | undefined, settled: boolean): string {
  if (call === undefined) return lead;
  if (!settled) return lead === 'processing' ? call : lead;
  return lead === call ? lead : `${lead} (${call})`;
}
