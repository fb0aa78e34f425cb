import { toAmount } from '#src/common/money/micros.js';
import { toIsoMicros } from '#src/common/time/time.js';
import type { AssistantView } from '../assistants/assistant-view.js';

export interface ConversationFacts {
  /** As in `GET /conversations/{uuid}`. */
  uuid: string;
  assistantId: number;
  type: string;
  history: { role: 'assistant' | 'user'; content: string }[];
  /** Null: nothing was to be found out. */
  evaluation: Record<string, unknown> | null;
  variables: Record<string, unknown>;
  /** Names of those that somebody without a token set. */
  visitorVariables: readonly string[];
  totalCostMicros: bigint;
  createdAt: Date;
  endedAt: Date | null;
}

/** The body of `conversation.ended` (docs/WEBHOOKS.md). */
export const conversationPayload = (conversation: ConversationFacts) => ({
  id: conversation.uuid,
  assistant_id: conversation.assistantId,
  type: conversation.type,
  message_count: conversation.history.length,
  history: conversation.history,
  extracted_variables: conversation.evaluation ?? {},
  input_variables: conversation.variables,
  ...(conversation.visitorVariables.length > 0 && { visitor_variables: conversation.visitorVariables }),
  total_cost: toAmount(conversation.totalCostMicros),
  created_at: toIsoMicros(conversation.createdAt),
  ended_at: conversation.endedAt && toIsoMicros(conversation.endedAt),
});

const SILENCE_MS = 10 * 60_000;

/** An example of an ended conversation of the assistant, marked `test: true`. */
export function testConversationPayload(
  assistant: Pick<AssistantView, 'id' | 'variables' | 'postCallSchema'>,
  now: Date,
) {
  const conversation = conversationPayload({
    uuid: '00000000-0000-4000-8000-000000000000',
    assistantId: assistant.id,
    type: 'widget',
    history: [
      { role: 'assistant', content: 'Hello, this is a test.' },
      { role: 'user', content: 'It arrived, thank you.' },
    ],
    evaluation: Object.fromEntries(assistant.postCallSchema.map(({ name }) => [name, null])),
    variables: assistant.variables,
    visitorVariables: [],
    totalCostMicros: 0n,
    createdAt: new Date(now.getTime() - SILENCE_MS),
    endedAt: now,
  });
  return { test: true, ...conversation };
}
