import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatRequest } from './chat-request.js';
import { deltas, finishReason, usageOf, type CompletionHead } from './completion.js';
import type { Decision } from './policy.js';

export const FIRST_TOKEN_MS = 5;
const NEXT_TOKEN_MS = 2;

/** The answer as server-sent events, as fast as a very quick model. */
export async function* chatStream(
  head: CompletionHead,
  request: ChatRequest,
  decision: Decision,
): AsyncGenerator<string> {
  const withUsage = request.stream_options?.include_usage === true;
  const chunk = (choices: unknown[], usage: unknown = null) =>
    event({ ...head, object: 'chat.completion.chunk', choices, ...(withUsage && { usage }) });
  let wait = FIRST_TOKEN_MS;
  for (const delta of deltas(decision)) {
    await sleep(wait);
    wait = NEXT_TOKEN_MS;
    yield chunk([{ index: 0, delta, logprobs: null, finish_reason: null }]);
  }
  yield chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: finishReason(decision) }]);
  if (withUsage) yield chunk([], usageOf(request, decision));
  yield 'data: [DONE]\n\n';
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
