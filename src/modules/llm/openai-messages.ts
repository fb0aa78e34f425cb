import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import {
  type ModelMessage,
  type ModelTool,
  type ModelToolCall,
  LanguageModelError,
  isRetryable,
} from './language-model.js';
import { parseRetryAfter } from '#src/common/outbound-http/retry-after.js';
import { isObject } from '#src/common/validation/field-rules.js';
import { tryParseJson, type JsonObject } from './response/json-text.js';

/** Message of the user for strict servers before anybody has spoken. */
const CALL_CONNECTED = '(The call is connected.)';
/** The same at the end of a request whose last message is the assistant's, e.g. a notice. */
const AWAITS_ANSWER = '(The customer is waiting for your answer.)';
/** Message of the assistant between the result of a tool and the user who spoke before the answer to it. */
const NOTHING_HEARD = '…';

/** Form of earlier tool calls in a request. */
export interface ToolHistoryOptions {
  /** The requested model: it gets only fields of its own. */
  model: string;
  /** The model rejects reasoning in messages. */
  withoutReasoning?: boolean;
  /** The model rejects calls without fields of its own: they are sent as text. */
  callsAsText?: boolean;
}

/**
 * The messages in the order of strict servers: instructions first, in one message; then a message of the
 * user; no two messages of the user in a row, and none right after a tool's; the last message is the user's or a
 * tool's. Later instructions become messages of the user in brackets.
 */
export function toChatMessages(
  messages: readonly ModelMessage[],
  options: ToolHistoryOptions,
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
  for (const message of options.callsAsText ? foreignCallsAsText(rest, options.model) : rest) {
    const next = toChatMessage(message, options);
    const last = chat.at(-1);
    if (next.role === 'user' && last?.role === 'user') {
      last.content = `${last.content}\n${next.content}`;
      continue;
    }
    if (next.role === 'user' && last?.role === 'tool') chat.push(assistantText(NOTHING_HEARD));
    chat.push(next);
  }
  if (chat.at(-1)?.role === 'assistant') chat.push({ role: 'user', content: AWAITS_ANSWER });
  return chat;
}

const textOf = (message: ModelMessage): string => message.text;

const assistantText = (content: string): ChatCompletionMessageParam => ({ role: 'assistant', content });

/** Tool calls of other models, with their results, as messages of the user. */
function foreignCallsAsText(messages: readonly ModelMessage[], model: string): ModelMessage[] {
  const rewrittenCalls = new Map<string, ModelToolCall>();
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool') {
      const call = rewrittenCalls.get(message.callId);
      if (!call) return [message];
      return [{ role: 'system', text: `Result of ${call.name} with ${call.arguments}: ${message.text}` }];
    }
    if (message.role !== 'assistant' || message.toolCalls.length === 0) return [message];
    if (message.toolCalls.some(({ provider }) => provider?.model === model)) return [message];
    for (const call of message.toolCalls) rewrittenCalls.set(call.id, call);
    return message.text === '' ? [] : [{ ...message, toolCalls: [] }];
  });
}

function toChatMessage(message: ModelMessage, options: ToolHistoryOptions): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
      return { role: 'user', content: `(Instruction, not said by the customer: ${message.text})` };
    case 'customer':
      return { role: 'user', content: message.text };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant':
      if (message.toolCalls.length === 0) return assistantText(message.text);
      return {
        role: 'assistant',
        content: message.text || null,
        ...(options.withoutReasoning ? {} : reasoningFields(message.toolCalls, options.model)),
        tool_calls: message.toolCalls.map(({ id, name, arguments: text, provider }) => {
          const { function: inner, ...fields } = (provider?.model === options.model && provider.call) || {};
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

const reasoningFields = (calls: readonly ModelToolCall[], model: string): object =>
  calls.find(({ provider }) => provider?.model === model)?.provider?.message ?? {};

/** Servers that parse the arguments of earlier calls reject other text. */
const isJsonObject = (text: string): boolean => isObject(tryParseJson(text));

/** A function without parameters omits them: some servers reject an empty list. */
export const toChatTool = ({ name, description, parameters }: ModelTool): ChatCompletionTool => ({
  type: 'function',
  function: { name, description, ...(hasProperties(parameters) && { parameters }) },
});

const hasProperties = ({ properties }: ModelTool['parameters']): boolean =>
  isObject(properties) && Object.keys(properties).length > 0;

/** A feature that an endpoint rejects in an otherwise valid request. */
export type RejectedFeature = 'usage' | 'thoughts' | 'foreign-calls';

const REASONING = /reasoning|thinking|thought|signature|extra_content|provider_specific/i;
/** Groq: "the following must be satisfied[('messages.2' : property 'reasoning' is unsupported)]". */
const UNKNOWN = /un(?:supported|known|expected|recognized)|not (?:supported|permitted|allowed)/i;
const MISSING = /missing|required|expected|must (?:be|have|contain|include|start)/i;

/** `usage`: older servers reject `stream_options`. @returns null: no such feature */
export function findRejectedFeature(error: unknown): RejectedFeature | null {
  const [status, param, message] = ['status', 'param', 'message'].map((name) => read(error, name));
  if (status !== 400 && status !== 422) return null;
  const description = [param, message].filter((text) => typeof text === 'string').join(' ');
  if (description.includes('stream_options')) return 'usage';
  if (!REASONING.test(description)) return null;
  return MISSING.test(description) && !UNKNOWN.test(description) ? 'foreign-calls' : 'thoughts';
}

/** The frame of an error with the text of the response, which the server could not read; null: any other error. */
export function readFailedGeneration(error: unknown): JsonObject | null {
  const body = read(error, 'error');
  const text = read(body, 'failed_generation');
  return text === undefined || text === null || text === '' ? null : { error: body };
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
    undefined,
    parseRetryAfter(retryAfterHeader(error), Date.now()),
  );
}

const isHeaders = (value: unknown): value is Headers => typeof read(value, 'get') === 'function';

function retryAfterHeader(error: unknown): string | null {
  const headers = read(error, 'headers');
  // Not `instanceof`: the client's own fetch has another class of this name.
  return isHeaders(headers) ? headers.get('retry-after') : null;
}

/** The error of the connection, e.g. ECONNREFUSED: the only part without content. */
const cause = (error: unknown): unknown => read(error, 'cause');

const read = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
