import type { NewCall } from './call.view.js';

/** A row of `calls`; the other columns have defaults. */
export function toCallRow({ assistant, campaign, ...call }: NewCall, token: string) {
  return {
    account_id: call.accountId,
    assistant_id: assistant.id,
    assistant_name: assistant.name,
    api_key_id: call.apiKeyId ?? null,
    campaign_id: campaign?.id ?? null,
    campaign_name: campaign?.name ?? null,
    lead_id: call.leadId,
    type: call.type,
    carrier_sid: call.carrierSid,
    request_id: call.requestId ?? null,
    assistant_phone_number: call.assistantPhoneNumber,
    client_phone_number: call.clientPhoneNumber,
    variables: call.variables,
    visitor: call.visitor?.key ?? null,
    visitor_variables: call.visitor?.variables ?? [],
    price_per_minute_micros: String(call.pricePerMinuteMicros),
    hold_micros: String(call.holdMicros),
    max_duration: call.maxDuration,
    evaluation_plan: call.evaluationPlan,
    check_at: call.checkAt,
    token,
    created_at: call.createdAt ?? null,
  };
}

export const CALL_COLUMNS: readonly Exclude<keyof ReturnType<typeof toCallRow>, 'created_at'>[] = [
  'account_id',
  'assistant_id',
  'assistant_name',
  'api_key_id',
  'campaign_id',
  'campaign_name',
  'lead_id',
  'type',
  'carrier_sid',
  'request_id',
  'assistant_phone_number',
  'client_phone_number',
  'variables',
  'visitor',
  'visitor_variables',
  'price_per_minute_micros',
  'hold_micros',
  'max_duration',
  'evaluation_plan',
  'check_at',
  'token',
];
