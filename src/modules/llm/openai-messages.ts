import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import {
  type ModelMessage,
  type ModelTool,
  type ModelToolCall,
  LanguageModelError,
  isRetryable,
} from './language-model.js';
import { isObject } from '#src/common/validation/field-rules.js';
import { parsed } from './answer/json-text.js';

/** Stands where strict servers want a message of the user and nobody has spoken. */
const CALL_CONNECTED = '(The call is connected.)';

/** What a server takes of calls that are told to it again. */
export interface ToldCalls {
  /** The model that is asked: only its own fields go back. */
  model: string;
  /** It refuses reasoning in a message. */
  withoutThoughts?: boolean;
  /** It refuses calls without fields of its own: these are told in words. */
  inWords?: boolean;
}

/**
 * The messages in the order that strict servers demand: instructions first, in one message; then a message of the
 * user; no two messages of the user in a row. Later instructions become messages of the user in brackets.
 */
export function toChatMessages(
  messages: readonly ModelMessage[],
  told: ToldCalls,
): ChatCompletionMessageParam[] {
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
  for (const message of told.inWords ? inWords(rest, told.model) : rest) {
    const next = toChatMessage(message, told);
    const last = chat.at(-1);
    if (next.role === 'user' && last?.role === 'user') last.content = `${last.content}\n${next.content}`;
    else chat.push(next);
  }
  return chat;
}

const textOf = (message: ModelMessage): string => message.text;

/** Calls that do not come from the model, with their results, as a message of the user. */
function inWords(messages: readonly ModelMessage[], model: string): ModelMessage[] {
  const told = new Map<string, ModelToolCall>();
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool') {
      const call = told.get(message.callId);
      if (!call) return [message];
      return [{ role: 'system', text: `Result of ${call.name} with ${call.arguments}: ${message.text}` }];
    }
    if (message.role !== 'assistant' || message.toolCalls.length === 0) return [message];
    if (message.toolCalls.some(({ provider }) => provider?.model === model)) return [message];
    for (const call of message.toolCalls) told.set(call.id, call);
    return message.text === '' ? [] : [{ ...message, toolCalls: [] }];
  });
}

function toChatMessage(message: ModelMessage, told: ToldCalls): ChatCompletionMessageParam {
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
        ...(told.withoutThoughts ? {} : thoughtsOf(message.toolCalls, told.model)),
        tool_calls: message.toolCalls.map(({ id, name, arguments: text, provider }) => {
          const { function: inner, ...fields } = (provider?.model === told.model && provider.call) || {};
          return {
            id,
            type: 'function' as const,
            function: { name, arguments: isJsonObject(text) ? text : '{}', ...(inner as object | undefined) },
            ...fields,
          };
        }),
      };
  }
}

const thoughtsOf = (calls: readonly ModelToolCall[], model: string): object =>
  calls.find(({ provider }) => provider?.model === model)?.provider?.message ?? {};

/** Servers that parse the arguments of earlier calls refuse what is none. */
const isJsonObject = (text: string): boolean => isObject(parsed(text));

/** A function without parameters has none: some servers refuse an empty list of them. */
export const toChatTool = ({ name, description, parameters }: ModelTool): ChatCompletionTool => ({
  type: 'function',
  function: { name, description, ...(hasProperties(parameters) && { parameters }) },
});

const hasProperties = ({ properties }: ModelTool['parameters']): boolean =>
  isObject(properties) && Object.keys(properties).length > 0;

/** What an endpoint refuses about a request that is otherwise right. */
export type Refusal = 'usage' | 'thoughts' | 'foreign-calls';

const THOUGHTS = /reasoning|thinking|thought|signature|extra_content|provider_specific/i;
const LACKS = /missing|required|must (?:be|have|contain|include)/i;

/** `usage`: older servers do not know `stream_options`. @returns null: none that can be put right */
export function refusalOf(error: unknown): Refusal | null {
  const [status, param, message] = ['status', 'param', 'message'].map((name) => read(error, name));
  if (status !== 400 && status !== 422) return null;
  const said = [param, message].filter((text) => typeof text === 'string').join(' ');
  if (said.includes('stream_options')) return 'usage';
  if (!THOUGHTS.test(said)) return null;
  return LACKS.test(said) ? 'foreign-calls' : 'thoughts';
}

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
    isRetryable(status),
    status,
  );
}

/** The fault of the connection itself, e.g. ECONNREFUSED: all that is safe to keep. */
const cause = (error: unknown): unknown => read(error, 'cause');

const read = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
