import type { AssistantView } from '../../assistants/assistant-view.js';
import { callPayload } from './call-payload.js';

const DURATION_SECONDS = 42;

/** An example of a finished call of the assistant, marked `test: true`; nobody was called. */
export function testPayload(
  assistant: Pick<AssistantView, 'id' | 'accountId' | 'name' | 'type' | 'variables' | 'postCallSchema'>,
  now: Date,
) {
  const createdAt = new Date(now.getTime() - DURATION_SECONDS * 1000);
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
    answeredBy: 'human',
    endedBy: 'customer',
    endedReason: 'customer_hangup',
    duration: DURATION_SECONDS,
    transcript: 'AI: Hello, this is a test.\nCustomer: It arrived, thank you.',
    evaluation: Object.fromEntries(assistant.postCallSchema.map(({ name }) => [name, null])),
    recordingUrl: null,
    pricePerMinuteMicros: 0n,
    totalCostMicros: 0n,
    createdAt,
    answeredAt: createdAt,
    endedAt: now,
  } as const;
  return { test: true, ...callPayload(call, null, { recording: false }) };
}
