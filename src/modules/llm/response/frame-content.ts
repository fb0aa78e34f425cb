import { isObject } from '#src/common/validation/field-rules.js';
import { isThought, readAuthor, readHead, type Author } from './frame-authors.js';
import { tryParseJson, type JsonObject } from './json-text.js';

/** A part of a tool call as received; missing fields and fields of another type are null. */
export interface ToolCallDelta {
  index: number | null;
  id: string | null;
  name: string | null;
  /** Text, object or anything else; undefined: none. */
  args: unknown;
  /** Unknown fields, to be returned to the provider. */
  fields: JsonObject;
}

/** A message or a part of one. */
export interface MessageDelta {
  author: Author;
  /** Of the deltas that follow and name none; null: without effect on them. */
  nextAuthor: Author;
  text: string;
  /** Reasoning and signatures by the names of their fields. */
  thoughts: JsonObject;
  calls: ToolCallDelta[];
}

export type FinishReason = 'stop' | 'length' | 'filter' | 'error';

export interface FrameContent {
  delta: MessageDelta;
  /** A complete message that repeats the deltas before it. */
  message: MessageDelta | null;
  finish: FinishReason | null;
  /** Undefined: none. */
  usage: unknown;
  /** The provider's error; null: none. */
  error: JsonObject | null;
}

/** The content of a frame, tolerant of the types of its fields. */
export function readFrameContent(frame: JsonObject): FrameContent {
  const choice = firstChoice(frame['choices']);
  const delta = choice['delta'];
  const around = [choice, frame];
  const message = isObject(choice['message'])
    ? readMessage(omit(choice['message'], ['refusal']), around)
    : null;
  const content = isObject(delta) ? delta : { content: delta ?? choice['text'] };
  const groq = isObject(frame['x_groq']) ? frame['x_groq']['usage'] : undefined;
  return {
    delta: readMessage(content, around),
    message,
    finish: readFinishReason(choice['finish_reason'] ?? frame['finish_reason'] ?? content['finish_reason']),
    usage: frame['usage'] ?? groq ?? choice['usage'] ?? undefined,
    error: readError(frame) ?? readError(choice) ?? readError(content),
  };
}

/**
 * The first of several choices, and never another one, also if a frame has no other; servers may send an object, or
 * choices keyed by their index.
 */
function firstChoice(choices: unknown): JsonObject {
  if (isObject(choices) && isObject(choices['0'])) return choices['0'];
  const list = (Array.isArray(choices) ? choices : [choices]).filter(isObject);
  return list.find(({ index }) => !(Number.parseInt(String(index), 10) > 0)) ?? {};
}

const THOUGHT_FIELD = /reason|think|thought|signature|extra_content|provider_specific/i;

function readMessage(message: JsonObject, around: readonly JsonObject[]): MessageDelta {
  const author = readAuthor(message, around);
  const parts = partsOf(message['content'] ?? message['refusal']);
  const calls = [...toCallList(message['tool_calls']), ...parts.filter(isToolUse)];
  const single = message['function_call'];
  if (isObject(single)) calls.push({ index: 0, function: single });
  const thoughts = Object.fromEntries(
    Object.entries(message).filter(([name, value]) => THOUGHT_FIELD.test(name) && !isEmpty(value)),
  );
  const text = parts.map(textOf).join('');
  const isHead = text === '' && calls.length === 0 && Object.keys(thoughts).length === 0;
  return {
    author,
    nextAuthor: isHead ? readHead(message, around) : null,
    text,
    thoughts,
    calls: calls.filter(isObject).map(readCall),
  };
}

const partsOf = (content: unknown): unknown[] => (Array.isArray(content) ? content : [content]);

/** From a list, one call, calls keyed by their index, lists of calls, or JSON text of any of these. */
function toCallList(value: unknown): unknown[] {
  if (typeof value === 'string') return toCallList(tryParseJson(value));
  if (Array.isArray(value)) return value.flatMap((call) => (Array.isArray(call) ? toCallList(call) : [call]));
  if (!isObject(value)) return [];
  return isObject(value['0']) ? Object.values(value) : [value];
}

const isToolUse = (part: unknown): boolean =>
  isObject(part) &&
  (part['type'] === 'tool_use' || part['type'] === 'tool_call' || isObject(part['functionCall']));

/** The text of a content part; empty for reasoning, pictures and other types. */
function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part === 'number') return String(part);
  if (!isObject(part)) return '';
  const { type, text } = part;
  const isText = type === undefined || type === null || (typeof type === 'string' && TEXT_TYPE.test(type));
  if (!isText || isThought(part)) return '';
  if (typeof text === 'string') return text;
  return isObject(text) && typeof text['value'] === 'string' ? text['value'] : '';
}

const TEXT_TYPE = /^(?:output_|input_)?text$|^text_delta$/;

const CALL_FIELDS = ['name', 'arguments', 'input', 'parameters', 'args'];

/** Name and arguments may be in `function` or beside it. */
function readCall(call: JsonObject): ToolCallDelta {
  const { index, id, type: _type, function: named, functionCall, ...rest } = call;
  const inner = isObject(named) ? named : isObject(functionCall) ? functionCall : {};
  const innerFields = omit(inner, CALL_FIELDS);
  const number = typeof index === 'string' && index.trim() !== '' ? Number(index) : index;
  return {
    index: typeof number === 'number' && Number.isInteger(number) ? number : null,
    id: typeof id === 'number' ? String(id) : nonEmpty(id),
    name: nonEmpty(inner['name']) ?? nonEmpty(rest['name']) ?? nonEmpty(named),
    args: argumentsOf(inner) ?? argumentsOf(rest) ?? undefined,
    fields: {
      ...omit(rest, CALL_FIELDS),
      ...(Object.keys(innerFields).length > 0 && { function: innerFields }),
    },
  };
}

const argumentsOf = (call: JsonObject): unknown =>
  call['arguments'] ?? call['input'] ?? call['parameters'] ?? call['args'];

const nonEmpty = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** As an error code: no error. */
const isZero = (value: unknown): boolean => value === 0 || value === '0' || value === false;

const omit = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([name, value]) => !names.includes(name) && value !== null && value !== undefined,
    ),
  );

/** By patterns in the reason's name; any other name is the end of a complete response. */
const FINISH_REASONS: readonly (readonly [RegExp, FinishReason])[] = [
  [/length|max_?(?:output_|completion_)?tokens|token_limit|context_window/, 'length'],
  [/content_?filter|safety|recitation|blocklist|prohibited|sensitive|spii|guardrail|refusal/, 'filter'],
  [/error|abort|cancel|overloaded|malformed|insufficient|time_?(?:limit|out)|not_finished/, 'error'],
];

function readFinishReason(reason: unknown): FinishReason | null {
  const name = Array.isArray(reason) ? reason[0] : reason;
  if (!name || typeof name === 'object' || name === 'null' || name === 'none') return null;
  if (typeof name !== 'string') return 'stop';
  return FINISH_REASONS.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? 'stop';
}

function readError(holder: JsonObject): JsonObject | null {
  if (holder['object'] === 'error') return holder;
  const { error } = holder;
  if (isObject(error))
    return Object.values(error).some((value) => !isEmpty(value) && !isZero(value)) ? error : null;
  return error ? { message: error } : null;
}
