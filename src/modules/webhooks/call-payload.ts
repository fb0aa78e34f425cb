import { toAmount } from '#src/common/money/micros.js';
import { toIsoMicros } from '#src/common/time/time.js';
import type { CallAction } from '#src/modules/calls/states/call-actions.js';
import type { Transfer } from '#src/modules/calls/states/call-transfers.js';
import type { CallView } from '../calls/call.view.js';
import type { AssistantView } from '../assistants/assistant-view.js';

export interface PayloadCampaign {
  id: number;
  name: string;
  status: string;
  allowedHoursStartTime: string;
  allowedHoursEndTime: string;
  allowedDays: string[];
  maxCallsInParallel: number;
  maxRetries: number;
  retryInterval: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface PayloadLead {
  id: number;
  phoneNumber: string;
  variables: Record<string, unknown>;
  status: string;
  attempts: number;
  createdAt: Date;
  updatedAt: Date;
  campaign: PayloadCampaign | null;
}

type PayloadCall = Omit<
  CallView,
  | 'token'
  | 'apiKeyId'
  | 'carrierSid'
  | 'evaluationPlan'
  | 'evaluationError'
  | 'wrapUpAttempts'
  | 'conversationClaim'
  | 'maxDuration'
  | 'recordingUrl'
  | 'settingsNotApplied'
  | 'providerFailures'
  | 'visitor'
  | 'holdMicros'
>;

interface PayloadOptions {
  /** Signed; null: no recording, or the assistant's setting excludes it. */
  recordingUrl: string | null;
  /** In order. */
  actions: readonly CallAction[];
  /** For a call without a lead: the lead was deleted. */
  campaign?: PayloadCampaign | null;
}

/** The body of `call.completed` and `call.updated` (docs/use/webhooks.md). */
export function toCallPayload(call: PayloadCall, lead: PayloadLead | null, options: PayloadOptions) {
  const campaign = lead ? lead.campaign : (options.campaign ?? null);
  return {
    id: call.id,
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
    duration: call.duration,
    status: call.status,
    extracted_variables: call.evaluation,
    input_variables: call.variables,
    ...(call.visitorVariables.length > 0 && { visitor_variables: call.visitorVariables }),
    transcript: call.transcript,
    formatted_transcript: call.transcript,
    recording_url: options.recordingUrl,
    created_at: toIsoMicros(call.createdAt),
    finished_at: call.endedAt && toIsoMicros(call.endedAt),
    campaign: campaign && toCampaignPayload(campaign),
    lead: lead && toLeadPayload(lead),
    transfers: call.transfers.map(toTransferPayload),
    actions: options.actions.map(toActionPayload),
    type: call.type,
    assistant_id: call.assistantId,
    answered_by: call.answeredBy,
    ended_by: call.endedBy,
    ended_reason: call.endedReason,
    total_cost: toAmount(call.totalCostMicros),
  };
}

const toTransferPayload = ({ to, status, at }: Transfer) => ({ to, status, at: toIsoMicros(new Date(at)) });

const toActionPayload = ({ type, status, detail, at }: CallAction) => ({
  type,
  status,
  detail,
  at: toIsoMicros(at),
});

const toLeadPayload = (lead: PayloadLead) => ({
  id: lead.id,
  phone_number: lead.phoneNumber,
  variables: lead.variables,
  status: lead.status,
  call_tries: lead.attempts,
  created_at: toIsoMicros(lead.createdAt),
  updated_at: toIsoMicros(lead.updatedAt),
  campaign: lead.campaign && toCampaignPayload(lead.campaign),
});

const toCampaignPayload = (campaign: PayloadCampaign) => ({
  id: campaign.id,
  name: campaign.name,
  status: campaign.status,
  allowed_hours_start_time: campaign.allowedHoursStartTime,
  allowed_hours_end_time: campaign.allowedHoursEndTime,
  allowed_days: campaign.allowedDays,
  max_calls_in_parallel: campaign.maxCallsInParallel,
  max_retries: campaign.maxRetries,
  retry_interval: campaign.retryInterval,
  created_at: toIsoMicros(campaign.createdAt),
  updated_at: toIsoMicros(campaign.updatedAt),
});

const TEST_CALL_SECONDS = 42;

/** An example of a finished call of the assistant, marked `test: true`; nobody was called. */
export function toTestCallPayload(
  assistant: Pick<AssistantView, 'id' | 'accountId' | 'name' | 'type' | 'variables' | 'postCallSchema'>,
  now: Date,
) {
  const createdAt = new Date(now.getTime() - TEST_CALL_SECONDS * 1000);
  const call = {
    id: 0,
    accountId: assistant.accountId,
    assistantId: assistant.id,
    assistantName: assistant.name,
    campaignId: null,
    leadId: null,
    type: assistant.type,
    status: 'completed',
    assistantPhoneNumber: '+15005550000',
    clientPhoneNumber: '+15005550020',
    variables: assistant.variables,
    visitorVariables: [],
    answeredBy: 'human',
    endedBy: 'customer',
    endedReason: 'customer_hangup',
    duration: TEST_CALL_SECONDS,
    transcript: 'AI: Hello, this is a test.\nCustomer: It arrived, thank you.',
    evaluation: Object.fromEntries(assistant.postCallSchema.map(({ name }) => [name, null])),
    transfers: [],
    pricePerMinuteMicros: 0n,
    totalCostMicros: 0n,
    createdAt,
    answeredAt: createdAt,
    endedAt: now,
  } as const;
  return { test: true, ...toCallPayload(call, null, { recordingUrl: null, actions: [] }) };
}
