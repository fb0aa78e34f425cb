import { isObject } from '#src/common/validation/field-rules.js';
import { decodeEntities } from './entities.js';
import { findClosingBracket, parseModelJson, tryParseJson, type JsonObject } from './json-text.js';
import { normalizeToolName, type OfferedTools } from './tool-names.js';

/** A call in tags, before its name is looked up. */
export interface TaggedCall {
  name: string;
  /** An object, its text, or undefined: none. */
  args: unknown;
}

const CALL_TAG = 'invoke|function|function_call|tool|tool_call|use_tool|tool_use|call';
/** The beginning of the tag of a call that may have attributes, up to them. */
const HEAD = new RegExp(
  `<(?:function=["']?([\\w.:-]+)["']?|(?:\\w+:)?(?:${CALL_TAG})(?=\\s{1,20}[\\w:.-]{1,60}\\s{0,3}=))`,
  'gi',
);
const FUNCTION_END = new RegExp(`</(?:\\w+:)?(?:${CALL_TAG})\\b`, 'i');
const NAME_ATTRIBUTES = ['name', 'tool', 'tool_name', 'function'];
const ARGUMENT_ATTRIBUTES = ['arguments', 'args', 'parameters', 'params', 'input'];
const ATTRIBUTE = /\s{0,20}([\w:.-]+)\s{0,3}=\s{0,3}/y;
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'<>/]+/y;
const QUOTED_OBJECT = /(["'])\s{0,20}(?=[{[]\s{0,20}(?:["'}\]]|[A-Za-z_]))/y;

interface Attributes {
  values: Map<string, unknown>;
  /** Behind the tag; -1: its end is missing. */
  end: number;
}

/** The attributes at a position of a tag, whatever signs their values have; null: something else. */
function readAttributes(text: string, from: number): Attributes | null {
  const values = new Map<string, unknown>();
  for (let at = from; ;) {
    const close = /\s{0,20}\/?>/y;
    close.lastIndex = at;
    const end = close.exec(text);
    if (end) return { values, end: at + end[0].length };
    ATTRIBUTE.lastIndex = at;
    const [head, name = ''] = ATTRIBUTE.exec(text) ?? [];
    if (head === undefined)
      return /^\s{0,20}[\w:.-]{0,60}\s{0,3}\/?$/.test(text.slice(at, at + 90)) ? { values, end: -1 } : null;
    const value = readValue(text, at + head.length);
    if (value === null) return { values, end: -1 };
    // One of two values may be another call's.
    if (values.has(name)) return null;
    values.set(name, value.value);
    at = value.end;
  }
}

/** A value may be JSON whose quotes are those around it. */
function readValue(text: string, at: number): { value: unknown; end: number } | null {
  QUOTED_OBJECT.lastIndex = at;
  const quote = QUOTED_OBJECT.exec(text);
  const from = quote ? at + quote[0].length : at;
  if (quote ?? /[{[]/.test(text.charAt(at))) {
    const end = findClosingBracket(text, from);
    if (end < 0) return null;
    const closing = quote ? text.indexOf(quote[1] ?? '', end) : end - 1;
    return closing < 0 ? null : { value: text.slice(from, end), end: closing + 1 };
  }
  TEXT.lastIndex = at;
  const written = TEXT.exec(text)?.[0];
  if (written === undefined) return null;
  const value = /^["']/.test(written) ? written.slice(1, -1) : written;
  return { value: decodeEntities(value), end: at + written.length };
}

/** The length of the tag of a call with attributes that a text begins with; -1: its end is missing; 0: there is none. */
export function callTagLength(text: string, tools: OfferedTools): number {
  const head = /^<([\w:.-]+)\s/.exec(text);
  const name = head?.[1]?.replace(/^\w+:/, '') ?? '';
  if (!head || !(tools.has(name) || new RegExp(`^(?:${CALL_TAG}|function=.*)$`, 'i').test(name))) return 0;
  return readAttributes(text, head[0].length - 1)?.end ?? 0;
}

/**
 * Calls in tags that have the name of the tool, `<function=name>`, `<invoke name="…">`, with arguments in the tag or
 * behind it.
 *
 * @returns undefined: there is no such tag; null: a part cannot be read
 */
export function readTaggedCalls(text: string, known: OfferedTools): TaggedCall[] | null | undefined {
  const heads = [...text.matchAll(HEAD)]
    .map((head) => ({
      at: head.index,
      name: head[1],
      attributes: readAttributes(text, head.index + head[0].length),
    }))
    .filter(({ name, attributes }) => name !== undefined || !attributes || nameIn(attributes) !== null);
  if (heads.length === 0) return undefined;
  const calls = heads.map(({ name: written, attributes }, index) => {
    if (!attributes || attributes.end < 0) return null;
    const next = heads[index + 1];
    const body = text.slice(attributes.end, next?.at);
    // A function begins before the end of the previous one: a part of the text is lost or repeated.
    if (next && !FUNCTION_END.test(body) && !text.slice(0, attributes.end).endsWith('/>')) return null;
    const name = normalizeToolName(written ?? nameIn(attributes) ?? '', known);
    const args = argumentsOf(attributes.values, parametersIn(body), known, name);
    return args === null ? null : { name, args };
  });
  return calls.every((call) => call !== null) ? calls : null;
}

function nameIn({ values }: Attributes): string | null {
  const key = NAME_ATTRIBUTES.find((one) => typeof values.get(one) === 'string');
  return key === undefined ? null : String(values.get(key));
}

/** A tag of the tool's name, with attributes, an object, or one tag for each value. */
export function readNamingTag(text: string, known: OfferedTools): TaggedCall | null {
  const name = /^\s*<([\w-]+)(?=[\s>/])/.exec(text)?.[1] ?? '';
  if (!known.has(name)) return null;
  const attributes = readAttributes(text, text.indexOf(name) + name.length);
  if (!attributes || attributes.end < 0) return null;
  const body = text
    .slice(attributes.end)
    .replace(new RegExp(`</${name}\\s*>\\s*$`), '')
    .trim();
  const children = readElements(body);
  const args = argumentsOf(attributes.values, children ?? (body === '' ? undefined : body), known, name);
  return args === null ? null : { name, args };
}

/** Arguments of the tag and of its body: both, or attributes whose meaning is not clear, cannot be read. */
function argumentsOf(
  attributes: Attributes['values'],
  body: unknown,
  known: OfferedTools,
  name: string,
): unknown {
  const others = [...attributes].filter(
    ([key]) => !NAME_ATTRIBUTES.includes(key) && !/^(?:id|type|call_id|index|version|xmlns.*)$/.test(key),
  );
  if (body === null) return null;
  const isArgument = (key: string): boolean => known.get(name)?.names.has(key) ?? false;
  if (body !== undefined) {
    const isDouble = ([key]: [string, unknown]): boolean =>
      isArgument(key) || ARGUMENT_ATTRIBUTES.includes(key) || (isObject(body) && key in body);
    return others.some(isDouble) ? null : body;
  }
  if (others.length === 0) return undefined;
  const [[key, value] = ['', undefined]] = others;
  if (others.length > 1 || !ARGUMENT_ATTRIBUTES.includes(key) || isArgument(key))
    return Object.fromEntries(others);
  const read =
    parseModelJson(String(value)) ??
    parseModelJson(decodeEntities(String(value))) ??
    parseModelJson(unescaped(String(value)));
  return isObject(read) ? read : null;
}

const unescaped = (text: string): string => text.replace(/\\(["'\\])/g, '$1');

/** A key has no `<`: a search for each of its possible ends takes cubic time. */
const ELEMENT = /<([A-Za-z_][\w-]*)>([^<]*)<\/\1\s*>/g;
const WRAPPER = /^<(arguments|args|parameters|params|input)>([^]*)<\/\1\s*>$/i;

/** The values of `<key>value</key>`, one behind the other; null: there is anything else, or nothing. */
function readElements(text: string): JsonObject | null {
  const elements = [...text.matchAll(ELEMENT)];
  if (elements.length === 0 || text.replace(ELEMENT, '').trim() !== '') return null;
  const entries = elements.map(([, key = '', value = '']) => [key, decodeEntities(value.trim())] as const);
  return new Set(entries.map(([key]) => key)).size === entries.length ? Object.fromEntries(entries) : null;
}

const NAME_ELEMENT = /^\s*<(name|tool_name|tool|function|function_name)>\s*([\w.:-]{1,200})\s*<\/\1\s*>/i;

/** `<name>…</name>` and then the arguments: an object, tags, or both in a tag of their own. */
export function readNamedElements(text: string, known: OfferedTools): TaggedCall | null {
  const [head, , written = ''] = NAME_ELEMENT.exec(text) ?? [];
  const name = normalizeToolName(written, known);
  if (head === undefined || !known.has(name)) return null;
  const rest = text.slice(head.length).replace(END_TAGS, '').trim();
  const body = (WRAPPER.exec(rest)?.[2] ?? rest).trim();
  if (body === '') return { name, args: undefined };
  const args = readElements(body) ?? parseModelJson(body) ?? parseModelJson(decodeEntities(body));
  return isObject(args) ? { name, args } : null;
}

const PARAMETER =
  /<(?:parameter=["']?([\w.-]+)["']?|(?:\w+:)?param(?:eter)?\s+name=["']([\w.-]+)["']([^>]*))>((?:(?!<(?:\w+:)?param(?:eter)?[= ])[^])*?)<\/(?:\w+:)?param(?:eter)?\s*>/g;
const ARGUMENT_PAIR = /<(\w*)arg_key>([^<]*)<\/\1arg_key>\s*<\1arg_value>([^]*?)<\/\1arg_value>/g;
const END_TAGS =
  /<\/(?:function|tool|use_tool|call|\w*tool_calls?|(?:\w+:)?(?:invoke|tool_calls?|function_calls?))\s*>|<[|｜][^<>]*[|｜]>/g;

/** Text values stay text: the tool's schema has their types. Null: some text is no parameter, so a part is missing. */
export function parametersIn(body: string): unknown {
  const object = body.trim();
  const end = object.startsWith('{') ? findClosingBracket(object, 0) : -1;
  // Tags in it belong to its values.
  if (end > 0 && object.slice(end).replace(END_TAGS, '').trim() === '') return object.slice(0, end);
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
  if (pairs.length === 0) return rest === '' ? undefined : (readElements(rest) ?? rest);
  return rest === '' ? (Object.fromEntries(pairs) as JsonObject) : null;
}
