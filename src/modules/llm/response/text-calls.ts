import { isObject } from '#src/common/validation/field-rules.js';
import { parseUnmarkedCalls } from './unmarked-calls.js';
import { joinArguments } from './call-arguments.js';
import { decodeEntities } from './entities.js';
import type { ParsedToolCall } from './tool-call-assembler.js';
import { findClosingBracket, extractJson, tryParseJson, type JsonObject } from './json-text.js';
import { normalizeToolName } from './tool-names.js';

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
const NESTED_KEYS = ['tool_calls', 'toolCalls', 'tool_call', 'function_call', 'functionCall'];
/** Keys that may stand beside the name of a function without parameters. */
const PLAIN_KEYS = new Set(['type', 'id', 'index', 'call_id']);

/**
 * Parses the calls that a model wrote into its text, in any of the forms of templates: objects with a name and arguments; the
 * name and then an object; `<function=name>` or `<invoke name="…">` with tags for each parameter; `name(key="value")`.
 *
 * Escaped text is decoded where it cannot be read as it is.
 *
 * @param name of the tool, where the text is its arguments only
 * @returns null: not all of it can be read as calls of known tools
 */
export function parseTextCalls(
  text: string,
  known: ReadonlySet<string>,
  name?: string,
): ParsedToolCall[] | null {
  const whole = name === undefined ? text : `${name} ${text}`;
  const calls = parseWhole(whole, known);
  if (calls) return calls;
  const decoded = decodeEntities(whole);
  return decoded === whole ? null : parseWhole(decoded, known);
}

function parseWhole(whole: string, known: ReadonlySet<string>): ParsedToolCall[] | null {
  const calls =
    tagged(whole, known) ??
    namingTag(whole, known) ??
    parseUnmarkedCalls(whole, known) ??
    written(whole, known) ??
    named(whole, known);
  return calls && calls.length > 0 ? calls : null;
}

/** @returns null where a value is no call of a known tool */
export function toToolCalls(value: unknown, known: ReadonlySet<string>): ParsedToolCall[] | null {
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

function callOf(name: string, args: unknown, known: ReadonlySet<string>): ParsedToolCall[] | null {
  const bare = normalizeToolName(name, known);
  const [text = '', ...more] = joinArguments(args === undefined ? [] : [args]);
  if (!known.has(bare) || more.length > 0 || !isObject(tryParseJson(text))) return null;
  return [{ id: null, name: bare, arguments: text }];
}

function all(lists: readonly (ParsedToolCall[] | null)[]): ParsedToolCall[] | null {
  return lists.every((list) => list !== null) ? lists.flat() : null;
}

/** Objects that are calls, with tags between them. */
function written(text: string, known: ReadonlySet<string>): ParsedToolCall[] | null {
  const found = extractJson(text);
  if (!found || found.values.length === 0) return null;
  return all(found.values.map((value) => toToolCalls(value, known)));
}

const FUNCTION_TAG =
  /<(?:function=["']?([\w.:-]+)["']?|(?:\w+:)?(?:invoke|function|tool|use_tool)\s+name=["']([\w.:-]+)["'])[^>]*>/g;
const FUNCTION_END = /<\/(?:\w+:)?(?:function|invoke|tool|use_tool)\b/;
const PARAMETER =
  /<(?:parameter=["']?([\w.-]+)["']?|(?:\w+:)?parameter\s+name=["']([\w.-]+)["']([^>]*))>((?:(?!<(?:\w+:)?parameter[= ])[^])*?)<\/(?:\w+:)?parameter\s*>/g;
/** A key has no `<`: a search for each of its possible ends takes cubic time. */
const ARGUMENT_PAIR = /<(\w*)arg_key>([^<]*)<\/\1arg_key>\s*<\1arg_value>([^]*?)<\/\1arg_value>/g;
const CHILD = /<([A-Za-z_][\w-]*)>([^<]*)<\/\1\s*>/g;

/** A tag of the tool's name, with one of its parameter's name for each value. */
function namingTag(text: string, known: ReadonlySet<string>): ParsedToolCall[] | null {
  const [, name = '', body = ''] = /^\s*<([\w-]+)>([^]*?)(?:<\/\1\s*>\s*)?$/.exec(text) ?? [];
  if (!known.has(name)) return null;
  const children = [...body.matchAll(CHILD)].map(([, key, value]) => [key ?? '', (value ?? '').trim()]);
  const rest = body.replace(CHILD, '').trim();
  if (children.length > 0) return rest === '' ? callOf(name, Object.fromEntries(children), known) : null;
  return callOf(name, rest === '' ? undefined : rest, known);
}

/** `<function=name>` and the like, each with an object or with tags for its parameters. */
function tagged(text: string, known: ReadonlySet<string>): ParsedToolCall[] | null {
  const heads = [...text.matchAll(FUNCTION_TAG)];
  if (heads.length === 0) return null;
  return all(
    heads.map((head, at) => {
      const body = text.slice(head.index + head[0].length, heads[at + 1]?.index);
      // A function begins before the end of the previous one: a part of the text is lost or repeated.
      if (at + 1 < heads.length && !FUNCTION_END.test(body)) return null;
      const args = parametersIn(body);
      return args === null ? null : callOf(head[1] ?? head[2] ?? '', args, known);
    }),
  );
}

/** Text values stay text: the tool's schema has their types. Null: some text is no parameter, so a part is missing. */
function parametersIn(body: string): unknown {
  const pairs = [
    ...[...body.matchAll(PARAMETER)].map(([, first, second, about, value = '']): [string, unknown] => [
      first ?? second ?? '',
      // DeepSeek's attribute of values that are no text.
      /string="false"/.test(about ?? '') ? (tryParseJson(value) ?? value) : value,
    ]),
    ...[...body.matchAll(ARGUMENT_PAIR)].map(([, , key = '', value = '']): [string, unknown] => [
      key.trim(),
      value,
    ]),
  ].map(([key, value]) => [key, typeof value === 'string' ? value.replace(/^\r?\n|\r?\n$/g, '') : value]);
  const rest = [PARAMETER, ARGUMENT_PAIR, END_TAGS]
    .reduce((left, mark) => left.replace(mark, ''), body)
    .trim();
  if (pairs.length === 0) return rest === '' ? undefined : rest;
  return rest === '' ? (Object.fromEntries(pairs) as JsonObject) : null;
}

const END_TAGS =
  /<\/(?:function|tool|use_tool|\w*tool_calls?|(?:\w+:)?(?:invoke|tool_calls?|function_calls?))\s*>|<[|｜][^<>]*[|｜]>/g;

/** Tags of templates around a name and its arguments. */
const MARKS = /(?:\s|```\w*|<[^<>{}"']{0,60}>|\[CALL_ID\]\w+|✿[A-Z]+✿:?|\[\/?[A-Z_]+\]|\bfunctions?\b)+/g;

/** A known name and then its arguments, with tags between them; nothing else. */
function named(text: string, known: ReadonlySet<string>): ParsedToolCall[] | null {
  const hasPairs = /<\w*arg_key>/.test(text);
  return all(
    splitByNames(text, known)
      .slice(0, hasPairs ? 1 : undefined)
      .map((part) => {
        const [, name = '', rest = ''] =
          /^([\w-]+)(?::\d+)?([^]*)$/.exec(hasPairs ? text.trimStart() : part) ?? [];
        const args = hasPairs ? parametersIn(rest) : argumentsIn(rest);
        return args === null ? null : callOf(name, args, known);
      }),
  );
}

/** Each part begins with a known name that stands outside of quotes. */
function splitByNames(text: string, known: ReadonlySet<string>): string[] {
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
function argumentsIn(text: string): unknown {
  // Llama writes `name.call(…)` for its built-in tools.
  const rest = text.replace(/^["'`]|^\.call(?=\()/, '').trim();
  if (rest.startsWith('(')) {
    const end = findClosingBracket(rest, 0);
    return end < 0 ? null : parseKeywordArguments(rest.slice(1, end - 1));
  }
  if (NO_ARGUMENTS.test(rest)) return undefined;
  const found = extractJson(rest);
  const isBetween = found && /^[\]);.,]*$/.test(found.between.replace(MARKS, ''));
  if (!isBetween || found.values.length > 1) return null;
  return found.values[0];
}

/** `key="value", other=3`, or an object. */
export function parseKeywordArguments(text: string): JsonObject | null | undefined {
  if (text.trim() === '') return undefined;
  const whole = tryParseJson(text);
  if (isObject(whole)) return whole;
  const values: [string, unknown][] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [pair, key = '', value = ''] = KEYWORD.exec(rest) ?? [];
    if (pair === undefined) return null;
    values.push([key, asText(value)]);
    rest = rest.slice(pair.length);
  }
  return Object.fromEntries(values);
}

const KEYWORD =
  /^([A-Za-z_]\w*)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|true|false|null|True|False|None)\s*(?:,\s*|$)/;

function asText(value: string): unknown {
  if (value.startsWith("'")) return value.slice(1, -1).replace(/\\(['"\\])/g, '$1');
  return (
    tryParseJson(
      value
        .replace(/^True$/, 'true')
        .replace(/^False$/, 'false')
        .replace(/^None$/, 'null'),
    ) ?? null
  );
}
