import { randomBytes } from 'node:crypto';
import { textOf, type ChatRequest } from './chat-request.js';
import type { Decision } from './policy.js';

/** A rough estimate: four characters a token. */
const CHARACTERS_PER_TOKEN = 4;
/** Arguments are streamed in pieces of this many characters, so that a client has to join them. */
const ARGUMENT_PIECE = 12;

export interface CompletionHead {
  id: string;
  created: number;
  model: string;
}

export interface ToolCallDelta {
  index: number;
  id?: string;
  type?: 'function';
  function: { name?: string; arguments: string };
}

export type Delta =
  { role: 'assistant'; content: string | null } | { content: string } | { tool_calls: ToolCallDelta[] };

export function newHead(model: string): CompletionHead {
  const id = `chatcmpl-${randomBytes(12).toString('hex')}`;
  return { id, created: Math.floor(Date.now() / 1000), model };
}

export function usageOf(request: ChatRequest, decision: Decision) {
  const read = request.messages.reduce((sum, message) => sum + textOf(message).length, 0);
  const calls = decision.calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  const prompt_tokens = Math.ceil(read / CHARACTERS_PER_TOKEN);
  const completion_tokens = Math.ceil(((decision.content?.length ?? 0) + calls) / CHARACTERS_PER_TOKEN);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

export function finishReason(decision: Decision): 'tool_calls' | 'stop' {
  return decision.calls.length > 0 ? 'tool_calls' : 'stop';
}

export function completion(head: CompletionHead, request: ChatRequest, decision: Decision) {
  const tool_calls = decision.calls.map((call) => ({ id: newCallId(), type: 'function', function: call }));
  const message = {
    role: 'assistant',
    content: decision.content,
    refusal: null,
    ...(tool_calls.length > 0 && { tool_calls }),
  };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(decision) }],
    usage: usageOf(request, decision),
  };
}

/** The pieces of a streamed response: word by word, then each function's name and arguments. */
export function* deltas(decision: Decision): Generator<Delta> {
  yield { role: 'assistant', content: decision.content === null ? null : '' };
  for (const word of decision.content?.match(/\S+\s*/g) ?? []) yield { content: word };
  for (const [index, call] of decision.calls.entries()) {
    yield {
      tool_calls: [
        { index, id: newCallId(), type: 'function', function: { name: call.name, arguments: '' } },
      ],
    };
    for (let at = 0; at < call.arguments.length; at += ARGUMENT_PIECE) {
      const piece = call.arguments.slice(at, at + ARGUMENT_PIECE);
      yield { tool_calls: [{ index, function: { arguments: piece } }] };
    }
  }
}

function newCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`;
}
