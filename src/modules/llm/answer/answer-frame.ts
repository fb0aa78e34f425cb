import { isObject } from '#src/common/validation/field-rules.js';
import { parsed, type JsonObject } from './json-text.js';

/** A part of a tool call as it arrived; what a server leaves out or writes in another type is null. */
export interface CallPiece {
  index: number | null;
  id: string | null;
  name: string | null;
  /** Text, object or anything else; undefined: none. */
  args: unknown;
  /** Fields that this service does not know, which the provider may want back. */
  fields: JsonObject;
}

/** A message or a part of one. */
export interface MessagePiece {
  text: string;
  /** Reasoning and signatures by the names of their fields. */
  thoughts: JsonObject;
  calls: CallPiece[];
}

export type Finish = 'stop' | 'length' | 'filter' | 'error';

export interface FrameContent {
  delta: MessagePiece;
  /** A message that is complete, and repeats what came before. */
  whole: MessagePiece | null;
  finish: Finish | null;
  /** Undefined: none. */
  usage: unknown;
  /** The provider's description of what went wrong; null: nothing. */
  error: JsonObject | null;
}

/** What a frame says, whatever types its fields have. */
export function readFrame(frame: JsonObject): FrameContent {
  const choice = firstChoice(frame['choices']);
  const delta = choice['delta'];
  const whole = isObject(choice['message']) ? readMessage(omit(choice['message'], ['refusal'])) : null;
  const content = isObject(delta) ? delta : { content: delta ?? choice['text'] };
  const groq = isObject(frame['x_groq']) ? frame['x_groq']['usage'] : undefined;
  return {
    delta: readMessage(content),
    whole,
    finish: readFinish(choice['finish_reason'] ?? frame['finish_reason'] ?? content['finish_reason']),
    usage: frame['usage'] ?? groq ?? choice['usage'] ?? undefined,
    error: readError(frame) ?? readError(choice) ?? readError(content),
  };
}

/** Of several answers the first; a server may send the one as an object, or all of them by their index. */
function firstChoice(choices: unknown): JsonObject {
  const isKeyed = isObject(choices) && isObject(choices['0']);
  const list = (Array.isArray(choices) ? choices : isKeyed ? Object.values(choices) : [choices]).filter(
    isObject,
  );
  return list.find(({ index }) => index === 0) ?? list[0] ?? {};
}

const THOUGHT_FIELD = /reason|think|thought|signature|extra_content|provider_specific/i;
const OTHER_ROLES: readonly unknown[] = ['user', 'system', 'developer', 'tool'];

function readMessage(message: JsonObject): MessagePiece {
  if (OTHER_ROLES.includes(message['role'])) return { text: '', thoughts: {}, calls: [] };
  const parts = partsOf(message['content'] ?? message['refusal']);
  const calls = [...listedCalls(message['tool_calls']), ...parts.filter(isToolUse)];
  const single = message['function_call'];
  if (isObject(single)) calls.push({ index: 0, function: single });
  return {
    text: parts.map(textOf).join(''),
    thoughts: Object.fromEntries(
      Object.entries(message).filter(([name, value]) => THOUGHT_FIELD.test(name) && !isEmpty(value)),
    ),
    calls: calls.filter(isObject).map(readCall),
  };
}

const partsOf = (content: unknown): unknown[] => (Array.isArray(content) ? content : [content]);

/** A list, one call, calls by their index, lists of calls, or JSON of any of these. */
function listedCalls(listed: unknown): unknown[] {
  if (typeof listed === 'string') return listedCalls(parsed(listed));
  if (Array.isArray(listed))
    return listed.flatMap((call) => (Array.isArray(call) ? listedCalls(call) : [call]));
  if (!isObject(listed)) return [];
  return isObject(listed['0']) ? Object.values(listed) : [listed];
}

const isToolUse = (part: unknown): boolean =>
  isObject(part) &&
  (part['type'] === 'tool_use' || part['type'] === 'tool_call' || isObject(part['functionCall']));

/** Of a part of a content; thoughts, pictures and everything else that is no text have none. */
function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part === 'number') return String(part);
  if (!isObject(part)) return '';
  const { type, text } = part;
  const isText = type === undefined || type === null || (typeof type === 'string' && TEXT_TYPE.test(type));
  if (!isText || part['thought'] === true) return '';
  if (typeof text === 'string') return text;
  return isObject(text) && typeof text['value'] === 'string' ? text['value'] : '';
}

const TEXT_TYPE = /^(?:output_|input_)?text$|^text_delta$/;

const NAMES = ['name', 'arguments', 'input', 'parameters', 'args'];

/** Name and arguments stand in `function`, beside it, or one of them there. */
function readCall(call: JsonObject): CallPiece {
  const { index, id, type: _type, function: named, functionCall, ...rest } = call;
  const inner = isObject(named) ? named : isObject(functionCall) ? functionCall : {};
  const innerFields = omit(inner, NAMES);
  const number = typeof index === 'string' && index.trim() !== '' ? Number(index) : index;
  return {
    index: typeof number === 'number' && Number.isInteger(number) ? number : null,
    id: typeof id === 'number' ? String(id) : nonEmpty(id),
    name: nonEmpty(inner['name']) ?? nonEmpty(rest['name']) ?? nonEmpty(named),
    args: argumentsOf(inner) ?? argumentsOf(rest) ?? undefined,
    fields: { ...omit(rest, NAMES), ...(Object.keys(innerFields).length > 0 && { function: innerFields }) },
  };
}

const argumentsOf = (call: JsonObject): unknown =>
  call['arguments'] ?? call['input'] ?? call['parameters'] ?? call['args'];

const nonEmpty = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** As a code it says that there is no error. */
const isZero = (value: unknown): boolean => value === 0 || value === '0' || value === false;

const omit = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([name, value]) => !names.includes(name) && value !== null && value !== undefined,
    ),
  );

/** By what the reason's name begins with; any other one is the end of a whole answer. */
const FINISHES: readonly (readonly [RegExp, Finish])[] = [
  [/length|max_?(?:output_|completion_)?tokens/, 'length'],
  [/content_?filter|safety|recitation|blocklist|prohibited|sensitive|spii/, 'filter'],
  [/error|abort|cancel|overloaded|malformed/, 'error'],
];

function readFinish(reason: unknown): Finish | null {
  const name = Array.isArray(reason) ? reason[0] : reason;
  if (!name || typeof name === 'object' || name === 'null' || name === 'none') return null;
  if (typeof name !== 'string') return 'stop';
  return FINISHES.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? 'stop';
}

function readError(holder: JsonObject): JsonObject | null {
  if (holder['object'] === 'error') return holder;
  const { error } = holder;
  if (isObject(error))
    return Object.values(error).some((value) => !isEmpty(value) && !isZero(value)) ? error : null;
  return error ? { message: error } : null;
}
