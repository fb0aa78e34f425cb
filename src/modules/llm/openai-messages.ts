import type {
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ChatCompletionChunk,
} from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import {
  type ModelMessage,
  type ModelTool,
  type ModelToolCall,
  type ModelUsage,
  LanguageModelError,
} from './language-model.js';

/** Stands where strict servers want a message of the user and nobody has spoken. */
const CALL_CONNECTED = '(The call is connected.)';

/**
 * The messages in the order that strict servers demand: instructions first, in one message; then a message of the
 * user; no two messages of the user in a row. Later instructions become messages of the user in brackets.
 */
export function toChatMessages(messages: readonly ModelMessage[]): ChatCompletionMessageParam[] {
  const isLater = (message: ModelMessage, index: number): boolean =>
    message.role === 'system' && messages.slice(0, index).some(({ role }) => role !== 'system');
  const instructions = messages.filter(
    (message, index) => message.role === 'system' && !isLater(message, index),
  );
  const rest = messages.filter((message) => !instructions.includes(message));
  if (rest[0]?.role !== 'customer') rest.unshift({ role: 'customer', text: CALL_CONNECTED });
  const chat: ChatCompletionMessageParam[] = [];
  if (instructions.length > 0) {
    chat.push({ role: 'system', content: instructions.map(textOf).join('\n\n') });
  }
  for (const message of rest) {
    const next = toChatMessage(message);
    const last = chat.at(-1);
    if (next.role === 'user' && last?.role === 'user') last.content = `${last.content}\n${next.content}`;
    else chat.push(next);
  }
  return chat;
}

const textOf = (message: ModelMessage): string => message.text;

function toChatMessage(message: ModelMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
      return { role: 'user', content: `(Instruction, not said by the customer: ${message.text})` };
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

/**
 * Puts tool calls together that arrive in pieces. A piece names the index of its call, but some servers leave the
 * index out, or give every parallel call the same one: a new id, or a new name after complete arguments, begins a call.
 */
export class OpenAiToolCalls {
  private readonly calls: ModelToolCall[] = [];
  /** The call that is being received at each index. */
  private readonly open = new Map<number | undefined, ModelToolCall>();

  add(pieces: readonly ToolCallDelta[] | undefined): void {
    for (const { index, id, function: piece } of pieces ?? []) {
      let call = this.open.get(index);
      if (!call || beginsCall(call, id, piece?.name)) {
        this.calls.push((call = { id: '', name: '', arguments: '' }));
        this.open.set(index, call);
      }
      if (id) call.id = id;
      if (piece?.name) call.name = piece.name;
      call.arguments += piece?.arguments ?? '';
    }
  }

  /** Ids may be missing or repeated; a call without a name is none. */
  complete(): ModelToolCall[] {
    const ids = new Set<string>();
    return this.calls
      .filter((call) => call.name)
      .map((call, position) => {
        const id = call.id && !ids.has(call.id) ? call.id : `call_${position}`;
        ids.add(id);
        return { ...call, id };
      });
  }
}

function beginsCall(call: ModelToolCall, id: string | undefined, name: string | undefined): boolean {
  if (id && call.id) return id !== call.id;
  return Boolean(name && call.name) && isJson(call.arguments);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const THOUGHT = { open: '<think>', close: '</think>' };

/** Takes the reasoning out of an answer in which a server sends it as text, `<think>…</think>`. */
export class ReasoningFilter {
  private pending = '';
  private inThought = false;

  /** @returns the text that is no reasoning, as far as it can be told yet */
  push(piece: string): string {
    this.pending += piece;
    let text = '';
    for (;;) {
      const tag = this.inThought ? THOUGHT.close : THOUGHT.open;
      const at = this.pending.indexOf(tag);
      const known = at >= 0 ? at : this.pending.length - partAtEnd(this.pending, tag);
      if (!this.inThought) text += this.pending.slice(0, known);
      this.pending = this.pending.slice(at >= 0 ? at + tag.length : known);
      if (at < 0) return text;
      this.inThought = !this.inThought;
    }
  }

  /** @returns what was held back as the possible beginning of a tag */
  end(): string {
    return this.inThought ? '' : this.pending;
  }
}

/** Length of the longest end of `text` with which `tag` begins. */
function partAtEnd(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}

export const toModelUsage = (usage: CompletionUsage): ModelUsage => ({
  prompt: usage.prompt_tokens,
  cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
  completion: usage.completion_tokens,
});

/** Older servers refuse the request for usage as an unknown field. */
export function refusesStreamOptions(error: unknown): boolean {
  const [status, param, message] = ['status', 'param', 'message'].map((name) => read(error, name));
  if (status !== 400 && status !== 422) return false;
  return `${typeof param === 'string' ? param : ''} ${typeof message === 'string' ? message : ''}`.includes(
    'stream_options',
  );
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
