import type {
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ChatCompletionChunk,
} from 'openai/resources/chat/completions';
import {
  type ModelMessage,
  type ModelTool,
  type ModelToolCall,
  LanguageModelError,
} from './language-model.js';

export function toChatMessage(message: ModelMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'customer':
      return { role: 'user', content: message.text };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant':
      if (message.toolCalls.length === 0) return { role: 'assistant', content: message.text };
      return {
        role: 'assistant',
        content: message.text || null,
        tool_calls: message.toolCalls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: text },
        })),
      };
  }
}

export const toChatTool = ({ name, description, parameters }: ModelTool): ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters },
});

type ToolCallDelta = ChatCompletionChunk.Choice.Delta.ToolCall;

/** Puts tool calls together that arrive in pieces, each piece naming the index of its call. */
export class OpenAiToolCalls {
  private readonly calls: ModelToolCall[] = [];

  add(pieces: readonly ToolCallDelta[] | undefined): void {
    for (const { index, id, function: piece } of pieces ?? []) {
      // Some servers leave the index out and send each call in one piece.
      const call = (this.calls[index ?? this.calls.length] ??= { id: '', name: '', arguments: '' });
      if (id) call.id = id;
      if (piece?.name) call.name = piece.name;
      call.arguments += piece?.arguments ?? '';
    }
  }

  /** The model may leave gaps and ids out; a call without a name is none. */
  complete(): ModelToolCall[] {
    return this.calls
      .filter((call) => call?.name)
      .map((call, position) => ({ ...call, id: call.id || `call_${position}` }));
  }
}

/** Statuses after which the same request may succeed; every 5xx is one, too. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The provider's text is left out: it may quote the prompt. */
export function toLanguageModelError(error: unknown): LanguageModelError {
  if (error instanceof LanguageModelError) return error;
  const status = read(error, 'status');
  if (typeof status !== 'number') {
    return new LanguageModelError('The language model did not answer', true, null, { cause: cause(error) });
  }
  const code = read(error, 'code');
  const named = typeof code === 'string' && /^\w+$/.test(code) ? ` ${code}` : '';
  return new LanguageModelError(
    `The language model refused (${status}${named})`,
    status >= 500 || RETRYABLE.has(status),
    status,
  );
}

/** The fault of the connection itself, e.g. ECONNREFUSED: all that is safe to keep. */
const cause = (error: unknown): unknown => read(error, 'cause');

const read = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
