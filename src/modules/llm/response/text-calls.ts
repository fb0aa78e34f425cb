import { isObject } from '#src/common/validation/field-rules.js';
import { parseUnmarkedCalls } from './unmarked-calls.js';
import { parametersIn, readNamedElements, readNamingTag, readTaggedCalls } from './call-tags.js';
import { parseCallArguments } from './call-values.js';
import { parseYamlObject } from './yaml-calls.js';
import { joinArguments } from './call-arguments.js';
import { decodeEntities } from './entities.js';
import { END_OF_RESPONSE } from './react-steps.js';
import type { ParsedToolCall } from './tool-call-assembler.js';
import { findClosingBracket, extractJson, tryParseJson, type JsonObject } from './json-text.js';
import { normalizeToolName, type OfferedTools } from './tool-names.js';

const NAME_KEYS = ['name', 'function', 'function_name', 'tool', 'tool_name', 'action', 'recipient_name'];
const ARGUMENT_KEYS = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'tool_input',
  'action_input',
  'kwargs',
];
/** Keys whose value is a call or a list of calls. */
const NESTED_KEYS = ['tool_calls', 'toolCalls', 'tool_call', 'function_call', 'functionCall', 'tool_uses'];
/** Keys that may stand beside the name of a function without parameters. */
const PLAIN_KEYS = new Set(['type', 'id', 'index', 'call_id']);

/**
 * Parses the calls that a model wrote into its text, in any of the forms of templates: objects with a name and
 * arguments; the name and then an object; `<function=name>` or `<invoke name="…">` with tags for each parameter; `name(key="value")`.
 *
 * Escaped text is decoded where it cannot be read as it is.
 *
 * @param name of the tool, where the text is its arguments only
 * @returns null: not all of it can be read as calls of known tools
 */
export function parseTextCalls(text: string, known: OfferedTools, name?: string): ParsedToolCall[] | null {
  const whole = name === undefined ? text : `${name} ${text}`;
  const calls = parseWhole(whole, known);
  if (calls) return calls;
  const decoded = decodeEntities(whole);
  return decoded === whole ? null : parseWhole(decoded, known);
}

const ARGUMENTS_BEHIND = /^\s{0,20}(?:<(arguments|parameters|args|params|input)>\s{0,20})?(?=\{)/;
const ARGUMENTS_MAY_FOLLOW = /^\s{0,20}(?:<[a-z]{0,10}(?:>\s{0,20})?)?$/;

/**
 * The end of a call that a tag began. A call with the name of its tool alone ends behind the object that follows:
 * `<function>name</function>{…}`.
 *
 * @returns null: there is none, or more characters are needed
 */
export function endOfCall(
  text: string,
  closes: RegExp,
  tools: OfferedTools,
  atEnd: boolean,
): { index: number; length: number } | null {
  const found = closes.exec(atEnd ? text + END_OF_RESPONSE : text);
  if (!found) return null;
  const { index } = found;
  const end = { index, length: found[0].length };
  if (end.length === 0 || !tools.has(text.slice(0, index).trim())) return end;
  const behind = text.slice(index + end.length);
  if (!atEnd && ARGUMENTS_MAY_FOLLOW.test(behind)) return null;
  const [head, tag] = ARGUMENTS_BEHIND.exec(behind) ?? [];
  if (head === undefined) return end;
  const object = findClosingBracket(behind, head.length);
  const closing = tag === undefined || object < 0 ? '' : `</${tag}>`;
  const last = object < 0 ? -1 : behind.indexOf(closing, object);
  if (last < 0 && !atEnd) return null;
  return { index: last < 0 ? text.length : index + end.length + last + closing.length, length: 0 };
}

function parseWhole(whole: string, known: OfferedTools): ParsedToolCall[] | null {
  const calls =
    tagged(whole, known) ??
    parseUnmarkedCalls(whole, known) ??
    written(whole, known) ??
    named(whole, known) ??
    inYaml(whole, known);
  return calls && calls.length > 0 ? calls : null;
}

/** @returns null where a value is no call of a known tool */
export function toToolCalls(value: unknown, known: OfferedTools): ParsedToolCall[] | null {
  if (Array.isArray(value)) return all(value.map((one) => toToolCalls(one, known)));
  if (!isObject(value)) return null;
  const nested = NESTED_KEYS.map((key) => value[key]).find((one) => one !== undefined && one !== null);
  if (nested !== undefined) return toToolCalls(nested, known);
  if (isObject(value['function'])) return toToolCalls(value['function'], known);
  const given = nameIn(value);
  if (given === null) {
    const [[key, args] = ['', null], ...more] = Object.entries(value);
    return more.length === 0 && known.has(key) && isObject(args) ? callOf(key, args, known) : null;
  }
  const argumentKey = ARGUMENT_KEYS.find((key) => Object.hasOwn(value, key));
  if (argumentKey !== undefined) return callOf(given.name, value[argumentKey], known);
  const isPlain = Object.keys(value).every((key) => key === given.key || PLAIN_KEYS.has(key));
  return isPlain ? callOf(given.name, undefined, known) : null;
}

/** Whether a value has the form of a call, also of an unknown tool. */
export function resemblesCall(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(resemblesCall);
  if (!isObject(value)) return false;
  if (NESTED_KEYS.some((key) => key in value) || isObject(value['function'])) return true;
  return nameIn(value) !== null && ARGUMENT_KEYS.some((key) => Object.hasOwn(value, key));
}

/** The answer that LangChain's models write as a call: `{"action": "Final Answer", "action_input": "…"}`. */
export function finalAnswerOf(value: unknown): string | null {
  if (!isObject(value) || !/^final[ _]answer$/i.test(String(value['action']))) return null;
  return typeof value['action_input'] === 'string' ? value['action_input'] : null;
}

function nameIn(value: JsonObject): { key: string; name: string } | null {
  const key = NAME_KEYS.find((one) => typeof value[one] === 'string');
  return key === undefined ? null : { key, name: String(value[key]) };
}

function callOf(name: string, args: unknown, known: OfferedTools): ParsedToolCall[] | null {
  const bare = normalizeToolName(name, known);
  const [text = '', ...more] = joinArguments(args === undefined ? [] : [args]);
  if (!known.has(bare) || more.length > 0 || !isObject(tryParseJson(text))) return null;
  return [{ id: null, name: bare, arguments: text }];
}

function all(lists: readonly (ParsedToolCall[] | null)[]): ParsedToolCall[] | null {
  return lists.every((list) => list !== null) ? lists.flat() : null;
}

/** Objects that are calls, with tags between them. */
function written(text: string, known: OfferedTools): ParsedToolCall[] | null {
  const found = extractJson(text);
  if (!found || found.values.length === 0) return null;
  return all(found.values.map((value) => toToolCalls(value, known)));
}

/** Calls in tags. */
function tagged(text: string, known: OfferedTools): ParsedToolCall[] | null {
  const calls = readTaggedCalls(text, known);
  if (calls === null) return [];
  const one = readNamingTag(text, known) ?? readNamedElements(text, known);
  const found = calls ?? (one && [one]);
  return found && (all(found.map(({ name, args }) => callOf(name, args, known))) ?? []);
}

/** YAML with the name of a tool and, below it, its arguments. */
function inYaml(text: string, known: OfferedTools): ParsedToolCall[] | null {
  const object = parseYamlObject(text);
  return object && toToolCalls(object, known);
}

/** Tags of templates around a name and its arguments. */
const MARKS = /(?:\s|```\w*|<[^<>{}"']{0,60}>|\[CALL_ID\]\w+|✿[A-Z]+✿:?|\[\/?[A-Z_]+\]|\bfunctions?\b)+/g;

/** A known name and then its arguments, with tags between them; nothing else. */
function named(text: string, known: OfferedTools): ParsedToolCall[] | null {
  const hasPairs = /<\w*arg_key>/.test(text);
  return all(
    splitByNames(text, known)
      .slice(0, hasPairs ? 1 : undefined)
      .map((part) => {
        const [, name = '', rest = ''] =
          /^([\w-]+)(?::\d+)?([^]*)$/.exec(hasPairs ? text.trimStart() : part) ?? [];
        const args = hasPairs ? parametersIn(rest) : argumentsIn(rest, known.get(name)?.single ?? null);
        return args === null ? null : callOf(name, args, known);
      }),
  );
}

/** Each part begins with a known name that stands outside of quotes. */
function splitByNames(text: string, known: OfferedTools): string[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length;) {
    const word = /^[\w-]+/.exec(text.slice(at))?.[0];
    if (word !== undefined) {
      if (known.has(word)) starts.push(at);
      at += word.length;
    } else if ('{('.includes(text.charAt(at)) && starts.length > 0) {
      const end = findClosingBracket(text, at);
      at = end < 0 ? text.length : end;
    } else at += 1;
  }
  return starts.map((start, at) => text.slice(start, starts[at + 1]));
}

const NO_ARGUMENTS = /^(?:none|null|n\/a|"")?$/i;

/** `{…}`, `(key="value")` or nothing; null: something else. */
function argumentsIn(text: string, single: string | null): unknown {
  // Llama writes `name.call(…)` for its built-in tools.
  const rest = text.replace(/^["'`]|^\.call(?=\()/, '').trim();
  if (rest.startsWith('(')) {
    const end = findClosingBracket(rest, 0);
    return end < 0 ? null : parseCallArguments(rest.slice(1, end - 1), single);
  }
  if (NO_ARGUMENTS.test(rest)) return undefined;
  const found = extractJson(rest);
  const isBetween = found && /^[\]);.,]*$/.test(found.between.replace(MARKS, ''));
  if (!isBetween || found.values.length > 1) return null;
  return found.values[0];
}
