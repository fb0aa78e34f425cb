import { toAmount } from '#src/common/money/micros.js';
import { toIsoMicros } from '#src/common/time/time.js';
import type { AssistantView } from '../assistants/assistant-view.js';

interface PayloadMessage {
  role: 'assistant' | 'user';
  content: string;
  function_calls?: object[];
  at: Date;
}

export interface EndedConversation {
  id: number;
  /** As in `GET /conversations/{uuid}`. */
  uuid: string;
  assistantUuid: string;
  type: string;
  /** Oldest first. */
  messages: PayloadMessage[];
  /** Null: no evaluation was configured. */
  evaluation: Record<string, unknown> | null;
  variables: Record<string, unknown>;
  /** Names of variables set by a request without a token. */
  visitorVariables: readonly string[];
  totalCostMicros: bigint;
  createdAt: Date;
  endedAt: Date | null;
}

const SPEAKER_NAMES = { assistant: 'AI', user: 'Customer' };

/**
 * The body of `conversation.ended` (docs/use/webhooks.md). Only conversations of WhatsApp would have a number, a
 * sender and attachments.
 */
export const toConversationPayload = ({ messages, ...conversation }: EndedConversation) => ({
  id: conversation.id,
  conversation_id: conversation.uuid,
  assistant_id: conversation.assistantUuid,
  type: conversation.type,
  message_count: messages.length,
  status: 'ended',
  history: messages.map(({ at: _, ...message }) => message),
  transcript: messages.map(({ role, content, at }) => ({
    role,
    content,
    timestamp: toIsoMicros(at),
    timestamp_unix: Math.floor(at.getTime() / 1000),
  })),
  formatted_transcript: messages.map(toTranscriptLine).join('\n'),
  attachments: [],
  customer_phone: null,
  customer_name: customerNameIn(conversation.variables),
  sender: null,
  extracted_variables: conversation.evaluation ?? {},
  input_variables: conversation.variables,
  ...(conversation.visitorVariables.length > 0 && { visitor_variables: conversation.visitorVariables }),
  total_cost: toAmount(conversation.totalCostMicros),
  created_at: toIsoMicros(conversation.createdAt),
  ended_at: conversation.endedAt && toIsoMicros(conversation.endedAt),
});

/** One line for a message: a line of a customer must not look like one of the assistant. */
const toTranscriptLine = ({ role, content }: PayloadMessage): string =>
  `${SPEAKER_NAMES[role]}: ${content.replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ').trim()}`;

/** The customer's name in the variables. */
function customerNameIn({ customer_name: name }: Record<string, unknown>): string | null {
  return typeof name === 'string' && name.trim() !== '' ? name : null;
}

/** An example of an ended conversation of the assistant, marked `test: true`. */
export function toTestConversationPayload(
  assistant: Pick<AssistantView, 'uuid' | 'variables' | 'postCallSchema' | 'conversationInactivityTimeout'>,
  now: Date,
) {
  const createdAt = new Date(now.getTime() - assistant.conversationInactivityTimeout * 60_000);
  const conversation = toConversationPayload({
    id: 0,
    uuid: '00000000-0000-4000-8000-000000000000',
    assistantUuid: assistant.uuid,
    type: 'widget',
    messages: [
      { role: 'assistant', content: 'Hello, this is a test.', at: createdAt },
      { role: 'user', content: 'It arrived, thank you.', at: createdAt },
    ],
    evaluation: Object.fromEntries(assistant.postCallSchema.map(({ name }) => [name, null])),
    variables: assistant.variables,
    visitorVariables: [],
    totalCostMicros: 0n,
    createdAt,
    endedAt: now,
  });
  return { test: true, ...conversation };
}
