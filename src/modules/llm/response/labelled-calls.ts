import { findClosingBracket } from './json-text.js';

/** Labels of calls that models write instead of a tag of their template: `tool_call`, `Tool use`. */
const NAMES = ['tool', 'function'].flatMap((what) =>
  ['call', 'calls', 'use', 'request'].map((act) => `${what}_${act}`),
);
/** These mean a call only where the name of a tool follows: `[call: 555 0100]` is text. */
const VAGUE = ['tool', 'function', 'call', 'calling', 'calling_tool', 'calling_function'];

/** Bounded: of more blanks a search would take quadratic time. */
const BLANK = String.raw`\s{0,20}`;
const OPENS = '[[【「(]';
const WORDS = '(?:[A-Za-z]+[_ -])?[A-Za-z]+';
const COLON = String.raw`\*{0,2}${BLANK}[:=：]\*{0,2}`;
const IN_BRACKETS = new RegExp(`^${OPENS}{1,2}${BLANK}\\*{0,2}(${WORDS})${COLON}`);
const IN_BRACKETS_BEGINS = new RegExp(`^${OPENS}{1,2}${BLANK}\\*{0,2}([A-Za-z _-]{0,24})\\*{0,2}${BLANK}$`);
const TAG = new RegExp(`^[[【「]/?(?:END_)?(${WORDS})(\\s[^[\\]【】「」\\n]{0,200})?[\\]】」]`);
const TAG_BEGINS = new RegExp(`^[[【「]/?(?:END_)?(${WORDS})\\s[^[\\]【】「」\\n]{0,200}$`);
const LINE_BEGINS = new RegExp(
  `(?<![\\w-])\\*{0,2}(${WORDS}|[A-Za-z]+[_ -]|)\\*{0,2}${BLANK}(?:([:=：]\\*{0,2}${BLANK})([\\w.-]*))?$`,
);

const nameOf = (words: string): string => words.toLowerCase().replace(/[ -]/g, '_');

/** A label without brackets, as a part of a pattern. */
export const LABEL_PATTERN = `\\*{0,2}(?:[Tt]ool|TOOL|[Ff]unction|FUNCTION)[_ -](?:[Cc]alls?|CALLS?|[Uu]se|USE|[Rr]equest|REQUEST)${COLON}`;

/** Ends a call that such a tag began: `[/tool_call]`, `【END_TOOL_CALL】`. */
export const LABEL_END = new RegExp(
  `[[【「](?:/|END_)(?:${NAMES.join('|').replaceAll('_', '[_ -]')})[\\]】」]`,
  'i',
);

/** A tag of brackets, `[tool_call name="…"]`. @returns its length, and the tool where it is named */
export function parseLabelTag(text: string): { length: number; tool: string | null } | null {
  const [tag, words = '', about = ''] = TAG.exec(text) ?? [];
  if (tag === undefined || !NAMES.includes(nameOf(words))) return null;
  return { length: tag.length, tool: /\bname=["']?([\w.-]+)/.exec(about)?.[1] ?? null };
}

/** Characters in front of a call. `isSure`: a call follows, also if it cannot be parsed. */
export interface CallPrefix {
  length: number;
  isSure: boolean;
}

/** A call in brackets with a label, `[tool_call: name(…)]`. */
export function parseLabelPrefix(text: string): CallPrefix | null {
  const [head, words = ''] = IN_BRACKETS.exec(text) ?? [];
  if (head === undefined) return null;
  const isSure = NAMES.includes(nameOf(words));
  return isSure || VAGUE.includes(nameOf(words)) ? { length: head.length, isSure } : null;
}

/**
 * Llama's call with its arguments in the tag: `<function=name{…}>`, `<function=name(…)</function>`; also in other
 * brackets.
 *
 * @returns where it ends, -1 without an end, and how it is parsed: the name, then the arguments
 */
export function parseFunctionPrefix(
  text: string,
  atEnd: boolean,
): (CallPrefix & { end: number; body: (call: string) => string }) | 'wait' | null {
  const [head, inTag, besideTag, inBrackets] = FUNCTION_PREFIX.exec(text) ?? [];
  if (head === undefined) {
    if (!FUNCTION_BEGUN.test(text)) return null;
    const body = (call: string): string => call;
    return atEnd ? { length: text.length, isSure: text.includes('='), end: -1, body } : 'wait';
  }
  const name = inTag ?? besideTag ?? inBrackets ?? '';
  const end = findClosingBracket(text, head.length);
  const closing = text.startsWith('<') ? ['>', ']'] : [')', ']', '}', '>'];
  // The tag may end behind them.
  if (end === text.length && !atEnd) return 'wait';
  const body = (call: string): string => `${name} ${call.slice(head.length, end)}`;
  return {
    length: head.length,
    isSure: true,
    end: end >= 0 && closing.includes(text.charAt(end)) ? end + 1 : end,
    body,
  };
}

/** Some models write other brackets: `(function=name>{…})`. */
const FUNCTION_PREFIX =
  /^(?:<function(?:=["']?([\w.:-]+?)["']?[\s,:]{0,20}(?:\[\s?\]?)?|[/(]["']?([\w.:-]+?)["']?[\s)>]{0,20})|[[({]\s?function=["']?([\w.:-]+?)["']?[\s,:]{0,20}[>)\]}]?\s{0,20})(?=[{(])/;
const FUNCTION_BEGUN =
  /^<function[/(]["']?[\w.:-]{0,100}["']?[\s)>]{0,20}$|^[[({]\s?function(?:=["']?[\w.:-]{0,100}["']?[\s,:]{0,20}[>)\]}]?\s{0,20})?$/;

/** Whether a text is the incomplete start of a label tag or of a label in brackets. */
export function isStartOfLabel(text: string): boolean {
  const tag = TAG_BEGINS.exec(text)?.[1];
  if (tag !== undefined && NAMES.includes(nameOf(tag))) return true;
  const words = IN_BRACKETS_BEGINS.exec(text.replace(/^([[【「])(?:\/|END_)/, '$1'))?.[1];
  return words !== undefined && [...NAMES, ...VAGUE].some((name) => name.startsWith(nameOf(words.trimEnd())));
}

/**
 * Length of an incomplete label without brackets at the end of a text, also with the beginning of a tool's name.
 *
 * @param isNameBegun whether a word may become the name of a tool
 */
export function incompleteLabelLength(text: string, isNameBegun: (word: string) => boolean): number {
  const [held = '', words = '', colon, word = ''] = LINE_BEGINS.exec(text) ?? [];
  const label = nameOf(words);
  if (held.trim() === '') return 0;
  if (colon === undefined) return NAMES.some((name) => name.startsWith(label)) ? held.length : 0;
  return NAMES.includes(label) && (word === '' || isNameBegun(word)) ? held.length : 0;
}
