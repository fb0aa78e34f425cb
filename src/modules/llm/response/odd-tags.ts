import { AMPERSAND, decodeEntities } from './entities.js';
import { begunWith } from './text-match.js';

/** Names of tags that are known in any form of their signs. */
const NAMES = [
  'think',
  'thinking',
  'thought',
  'thoughts',
  'thought_process',
  'reason',
  'reasoning',
  'reflection',
  'analysis',
  'scratchpad',
  'inner_thoughts',
  'monologue',
  'tool_call',
  'tool_calls',
  'function_call',
  'function_calls',
  'tool_response',
  'function',
];
const NAME = NAMES.toSorted((one, other) => other.length - one.length).join('|');
const BLANK = String.raw`\s{0,3}`;
const BACKSLASHES = String.raw`\\{1,4}`;
const ANY_AMPERSAND = `(?:${BACKSLASHES}u0026(?:amp;)*|${AMPERSAND})`;

/** A sign plain, behind backslashes, wide, and escaped for JSON, JavaScript, addresses or HTML. */
const signPattern = (plain: string, wide: string, code: string, entity: string): string =>
  `(?:(?:${BACKSLASHES})?${plain}|[${wide}]|${BACKSLASHES}(?:u00|x)${code}|%${code}` +
  `|${ANY_AMPERSAND}(?:${entity}|#0{0,4}${Number.parseInt(code, 16)}|#x0{0,4}${code})(?:;|(?=[^;])))`;
const OPENS = signPattern('<', '＜‹〈', '3c', 'lt');
const CLOSES = signPattern('>', '＞›〉', '3e', 'gt');
const SLASH = `(?:${signPattern('[/\\\\]', '／⁄', '2f', 'sol')})`;
/** The beginning of an escaped sign. */
const SIGN_BEGUN = `(?:${BACKSLASHES}(?:u0{0,2}[236]?|x[23]?)?|%[23]?|${ANY_AMPERSAND}(?:[a-z]{0,3}|#\\d{0,6}|#x[\\da-f]{0,5}))`;
const IN_BRACKETS = `[[({]${BLANK}/${BLANK}(${NAME})${BLANK}[\\])}]`;
/** Without its last sign. */
const UNCLOSED = /^<\/(think|thinking|thoughts?|reasoning)(?=[ \t]{0,9}\r?\n\s{0,20}[^\s>]|[A-Z])/;

const TAG = new RegExp(
  `^(${OPENS})${BLANK}(${SLASH}?)${BLANK}(${NAME})${BLANK}(${CLOSES})|^${IN_BRACKETS}`,
  'i',
);
const TAGS = new RegExp(TAG.source.replaceAll('^', ''), 'gi');
const NAME_BEGUN = `(?:${NAMES.map((name) => begunWith([...name])).join('|')})`;
const HEAD = `${OPENS}${BLANK}(?:${SLASH}${BLANK})?${NAME_BEGUN}${BLANK}`;
const BEGUN = new RegExp(
  `^(?:(?:${HEAD})?${SIGN_BEGUN}|${HEAD}|[[({]${BLANK}(?:/${BLANK}${NAME_BEGUN}${BLANK})?)$`,
  'i',
);
const CLOSING = new RegExp(
  `${OPENS}${BLANK}${SLASH}${BLANK}([^<>&\\\\%/\\s]{1,40})${BLANK}${CLOSES}|${IN_BRACKETS}`,
  'gi',
);
const ALL_UNCLOSED = new RegExp(UNCLOSED.source.slice(1), 'g');
/** In front of tags for its parameters. */
const FUNCTION_HEAD = /^[[({]\s?function=["']?([\w.:-]{1,100})["']?\s?[>)\]}]\s{0,20}(?=<)/;
const ENTITY = /^&[#\w]+;$/;

/**
 * A tag with odd signs at the beginning of a text, such as `<\/think>`, `\u003cthink\u003e`, `</think&gt;`, `[/think]`.
 *
 * @returns its length, and how it is written usually; null: there is none
 */
export function oddTagAt(text: string): { length: number; plain: string } | 'wait' | null {
  const [head, tool = ''] = FUNCTION_HEAD.exec(text) ?? [];
  if (head !== undefined) return { length: head.length, plain: `<function=${tool}>` };
  const unclosed = UNCLOSED.exec(text);
  if (unclosed) return { length: unclosed[0].length, plain: `</${unclosed[1] ?? ''}>` };
  const [tag, opens = '', slash = '', name, closes = '', inBrackets] = TAG.exec(text) ?? [];
  if (tag === undefined) return BEGUN.test(text) ? 'wait' : null;
  const plain = name === undefined ? `</${inBrackets ?? ''}>` : `<${slash === '' ? '' : '/'}${name}>`;
  // Entities alone are decoded with all that follows.
  const isUsual =
    tag === plain || (ENTITY.test(opens) && (closes === '>' || ENTITY.test(closes)) && slash.length < 2);
  return isUsual ? null : { length: tag.length, plain };
}

/** The tags with odd signs in a text, in their usual form. */
export const decodeTags = (text: string): string =>
  text.replace(
    TAGS,
    (_, _opens?: string, slash?: string, name?: string, _closes?: string, closed?: string) =>
      closed === undefined ? `<${slash === '' ? '' : '/'}${name ?? ''}>` : `</${closed}>`,
  );

const ESCAPED = new RegExp(
  `${AMPERSAND}(?:lt|#0{0,4}60|#x0{0,4}3c);\\/[^<>&\\s]{1,40}\\s?(?:>|${AMPERSAND}(?:gt|#0{0,4}62|#x0{0,4}3e);)`,
  'gi',
);

/** Decodes escaped and odd closing tags: of a call, only those that end it, because its arguments are not changed. */
export const decodeClosingTags = (text: string, isEnd: (tag: string) => boolean = () => true): string =>
  text
    .replace(ESCAPED, (escaped) => {
      const tag = decodeEntities(escaped);
      return isEnd(tag) ? tag : escaped;
    })
    .replace(CLOSING, (written: string, name?: string, inBrackets?: string) => {
      const tag = `</${name ?? inBrackets ?? ''}>`;
      return isEnd(tag) ? tag : written;
    })
    .replace(ALL_UNCLOSED, (written) => (isEnd(`${written}>`) ? `${written}>` : written));
