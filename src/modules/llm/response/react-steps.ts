import { begunWith } from './text-match.js';

/** Bounded: a search through more blanks takes quadratic time. */
const BLANK = '\\s{0,20}';
const COLON_BEGUN = `(?: \\d{1,2})?\\*{0,2}[ \\t]{0,4}[:：]\\*{0,2}`;
/** With the stars behind it, of which none may follow. */
const COLON = `${COLON_BEGUN}(?=[^*])`;
const QUOTES = '["\'`*]{0,3}';
const ACTION = `(?<![\\w-])\\*{0,2}[Aa]ction${COLON}[ \\t]{0,20}`;
const INPUT = `\\*{0,2}[Aa]ction[ _][Ii]nput${COLON}${BLANK}`;
const LINE = `[ \\t]{0,4}[*#]{0,3} ?([Tt]hought|[Tt]hinking|[Rr]easoning|[Oo]bservation|[Ff]inal [Aa]nswer)${COLON}`;

/** Appended to the last character of a response, for patterns that depend on its end. */
export const END_OF_RESPONSE = '\u0003';

/** Pattern of a ReAct label other than `Action:` at the beginning of a line. */
export const STEP_PATTERN = `(?<=^|\\n)${LINE}`;
const LINE_AT = new RegExp(`^${LINE}`);

/** Ends the input of an action. */
export const INPUT_END = new RegExp(`(?=(?:^|\\n)${BLANK}(?:${LINE}|${ACTION})|\\n[ \\t]{0,20}\\n)`);

/** `thought`, `observation`, `final answer` and others; null: the text begins with no label. */
export function parseStepLabel(text: string): { length: number; step: string } | null {
  const [label, step = ''] = LINE_AT.exec(text) ?? [];
  return label === undefined ? null : { length: label.length, step: step.toLowerCase() };
}

/**
 * Pattern of `Action: name` with `Action Input:` behind it, or of a known name alone; the groups `tool` and `alone` have
 * the name. An action without a name or with an unknown one cannot be run, and is not text.
 *
 * @param names pattern of the offered tools
 */
export const actionPattern = (names: string): string =>
  `(?:${ACTION}(?<tool>[^\\n]{0,100}?)${BLANK})?(?<![\\w-])${INPUT}` +
  `|${ACTION}${QUOTES}(?<alone>${names})${QUOTES}(?=${BLANK}(?:\\[|${LINE}|${END_OF_RESPONSE}))`;

/** Pattern of `Action:` in front of a call in another form. */
export const actionLabelPattern = (names: string): string =>
  `${ACTION}(?=${BLANK}(?:\\{|\`\`\`|${names}${BLANK}[({]))`;

/** Pattern of the end of a thought or an observation: an action, or the final answer. */
export const stepEndPattern = (names: string): RegExp =>
  new RegExp(
    `(?=${actionPattern(names)}|${actionLabelPattern(names)})|[Ff]inal [Aa]nswer${COLON}|(?<=\\n)${BLANK}\\*{0,2}(?:[Aa]nswer|[Rr]esponse|AI)${COLON}`,
  );

const AFTER_NAME = '[ \\d*]{0,5}(?:[:：]\\*{0,2})?';
const LABELS = ['thought', 'thinking', 'reasoning', 'observation', 'final answer', 'action']
  .map((label) => begunWith([...label].map((sign) => `[${sign}${sign.toUpperCase()}]`)))
  .join('|');
const LINE_BEGUN = new RegExp(`(?<=^|\\n)[ \\t]{0,4}(?=[*#\\w])[*#]{0,3} ?(?:${LABELS})${AFTER_NAME}$`);
/** Until the line behind an action is complete enough. */
const ACTION_BEGUN = new RegExp(
  `(?<![\\w-])\\*{0,2}[Aa]ction(?:(?:[ _][Iinput]{0,5})?${AFTER_NAME}|${COLON_BEGUN}[^\\n]{0,100}(?:\\n[\\s*\`]{0,20}[A-Za-z _]{0,12}${AFTER_NAME})?)$`,
);

/** Characters at the end of a text that may be an incomplete action. */
export const incompleteActionLength = (text: string): number => ACTION_BEGUN.exec(text)?.[0].length ?? 0;

/** Characters at the end of a text that may be an incomplete label. @param before the text in front of it */
export const incompleteStepLength = (text: string, before: string): number =>
  text.includes('\n') || isAtLineStart(before) ? (LINE_BEGUN.exec(text)?.[0].length ?? 0) : 0;

/** Maximum blanks in front of a line. */
const MAX_INDENT = 20;

/** Whether the position behind a text is the beginning of a line. */
export const isAtLineStart = (text: string): boolean => /(?:^|\n)\s*$/.test(text.slice(-MAX_INDENT));
