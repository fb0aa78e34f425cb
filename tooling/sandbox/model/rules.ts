import type { ChatRequest } from './chat-request.js';
import { askedIn, baseName } from '../model-name.js';
import { ModelError } from './model-error.js';
import { dialect, DIALECT_NAMES } from './dialects.js';
import { quirksOf } from './quirks.js';

/** The o-series, gpt-5 and gpt-6: reasoning models. */
const REASONING = /^(o\d|gpt-[56])/;
/** Since gpt-5.4 they call no functions over this interface while they reason, which is the default. */
const REASONS_OR_CALLS = /^gpt-(5\.[4-9]|6)/;
/** Efforts by prefix of the name, the first match counts. */
const EFFORTS: [RegExp, readonly string[]][] = [
  [/^gpt-6\.1-sol|^gpt-6-astra/, ['low', 'medium', 'high', 'xhigh']],
  [/^gpt-(5\.6|6)/, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
  [/^gpt-5\.[1-5]/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-5/, ['minimal', 'low', 'medium', 'high']],
  [/^o\d/, ['low', 'medium', 'high']],
];
/** A model of Groq, not OpenAI, with efforts. */
const OPEN_REASONING = /^openai\/gpt-oss/;
const REALTIME = /realtime/;
/** Servers that refuse requests without a user message, and late instructions. */
const STRICT = /^(mistral|ministral|codestral)/;

const MAX_TOOLS = 128;

/** Parameters of a chat completion; others are refused. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages ' +
    'metadata modalities model moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key ' +
    'prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier ' +
    'stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'
  ).split(' '),
);

/** Parameters that reasoning models refuse, each with its only allowed value. */
const FIXED_FOR_REASONING: Record<string, number> = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
};

/** @throws ModelError for requests that a real endpoint refuses */
export function refuseWrong(request: ChatRequest): void {
  const name = baseName(request.model);
  if (REALTIME.test(name)) {
    throw new ModelError(
      404,
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint.',
      null,
      'model',
    );
  }
  for (const parameter of Object.keys(request)) if (!KNOWN.has(parameter)) throw unknown(parameter);
  const isReasoning = REASONING.test(name);
  if (isReasoning) refuseForReasoning(request, name);
  else if (request.reasoning_effort !== undefined && !OPEN_REASONING.test(name))
    throw unknown('reasoning_effort');
  refuseRanges(request);
  refuseOrphans(request);
  refuseOrder(request);
  const spoken = askedIn(request.model, DIALECT_NAMES);
  if (spoken !== null) dialect(spoken).refuse?.(request);
  const quirks = quirksOf(request.model);
  if (STRICT.test(name) || quirks.has('strict')) refuseRoles(request);
  // The error of Ollama, and of servers without constrained decoding.
  if (request.tools && quirks.has('no-tools')) throw invalid(`${name} does not support tools`, null, 'tools');
  if (request.response_format?.type === 'json_schema' && quirks.has('no-schema')) {
    throw invalid("'response_format.type' must be 'text' or 'json_object'.", null, 'response_format');
  }
}

function refuseForReasoning(request: ChatRequest, name: string): void {
  const efforts = EFFORTS.find(([names]) => names.test(name))?.[1] ?? [];
  const effort = request.reasoning_effort ?? 'medium';
  if (!efforts.includes(effort)) {
    throw invalid(
      `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model. ` +
        `Supported values are: ${efforts.map((one) => `'${one}'`).join(', ')}.`,
      'unsupported_value',
      'reasoning_effort',
    );
  }
  if (request.tools && effort !== 'none' && REASONS_OR_CALLS.test(name)) {
    throw invalid(
      `Function tools with reasoning_effort are not supported for ${name} in /v1/chat/completions. ` +
        "To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      null,
      'reasoning_effort',
    );
  }
  for (const [parameter, only] of Object.entries(FIXED_FOR_REASONING)) {
    const value = request[parameter as keyof ChatRequest] ?? only;
    if (value === only) continue;
    throw invalid(
      `Unsupported value: '${parameter}' does not support ${JSON.stringify(value)} with this model. ` +
        `Only the default (${only}) value is supported.`,
      'unsupported_value',
      parameter,
    );
  }
  if (request.max_tokens !== undefined && request.max_tokens !== null) {
    throw invalid(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'unsupported_parameter',
      'max_tokens',
    );
  }
}

function refuseRanges({ temperature, stream, stream_options, tools, tool_choice }: ChatRequest): void {
  if (typeof temperature === 'number' && (temperature < 0 || temperature > 2)) {
    throw invalid(
      "Invalid 'temperature': expected a value from 0 to 2.",
      'decimal_out_of_range',
      'temperature',
    );
  }
  if (stream_options !== undefined && stream_options !== null && stream !== true) {
    throw invalid(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      null,
      'stream_options',
    );
  }
  if (tools !== undefined && (tools.length === 0 || tools.length > MAX_TOOLS)) {
    throw invalid(`Invalid 'tools': expected 1 to ${MAX_TOOLS} tools.`, 'invalid_array_length', 'tools');
  }
  if (tool_choice !== undefined && tools === undefined) {
    throw invalid("'tool_choice' is only allowed when 'tools' are specified.", null, 'tool_choice');
  }
}

/** Each call of a tool is followed directly by its result, and each result follows its call. */
function refuseOrphans({ messages }: ChatRequest): void {
  let open = new Set<string>();
  for (const { role, tool_calls, tool_call_id } of messages) {
    if (role === 'tool') {
      if (!open.delete(tool_call_id ?? '')) {
        throw invalid(
          "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
          null,
          'messages',
        );
      }
    } else {
      if (open.size > 0) throw unanswered(open);
      open = new Set((tool_calls ?? []).map(({ id }) => id));
    }
  }
  if (open.size > 0) throw unanswered(open);
}

const unanswered = (ids: ReadonlySet<string>): ModelError =>
  invalid(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `Without a response: ${[...ids].join(', ')}`,
    null,
    'messages',
  );

/**
 * As at Mistral and others: the last message is from the user or a tool, and an assistant message follows each tool.
 */
function refuseOrder({ messages }: ChatRequest): void {
  const roles = messages.map(({ role }) => role);
  if (roles.at(-1) === 'assistant')
    throw outOfOrder('Expected last role User or Tool (or Assistant with prefix True) but got assistant');
  if (roles.some((role, index) => role === 'user' && roles[index - 1] === 'tool'))
    throw outOfOrder("Unexpected role 'user' after role 'tool'");
}

/** Instructions are first, then the user. */
function refuseRoles({ messages }: ChatRequest): void {
  const roles = messages.map(({ role }) => role);
  if (!roles.includes('user')) throw outOfOrder('Expected at least one message with the role user.');
  const isInstructedLate = roles.some(
    (role, index) => role === 'system' && index > 0 && roles[index - 1] !== 'system',
  );
  if (isInstructedLate)
    throw outOfOrder(`Expected system messages at the beginning only, but got ${roles.join(', ')}.`);
}

const outOfOrder = (message: string): ModelError =>
  invalid(message, 'invalid_request_message_order', 'messages');

const unknown = (parameter: string): ModelError =>
  invalid(`Unrecognized request argument supplied: ${parameter}`, 'unknown_parameter', parameter);

const invalid = (message: string, code: string | null, param: string): ModelError =>
  new ModelError(400, message, code, param);
