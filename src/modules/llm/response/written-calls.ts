import type { CallStart } from './call-start-finder.js';
import { findClosingBracket } from './json-text.js';
import { isStartOfLabel, parseFunctionPrefix, parseLabelPrefix, type CallPrefix } from './labelled-calls.js';
import type { OfferedTools } from './tool-names.js';

/** A call that begins a text. */
export interface WrittenCall {
  head: CallPrefix;
  /** Behind it; -1: its end is missing. */
  end: number;
  /** As `parseTextCalls` reads it. */
  body: (whole: string) => string;
}

/** A call with a label, or with its function in brackets. */
export function labelledCallAt(
  text: string,
  tools: OfferedTools,
  atEnd: boolean,
): WrittenCall | 'wait' | null {
  const tagged = parseFunctionPrefix(text, atEnd);
  if (tagged) return tagged === 'wait' ? tagged : { head: tagged, end: tagged.end, body: tagged.body };
  // No label.
  if (/^.\s?function=/.test(text)) return null;
  const head = parseLabelPrefix(text);
  if (!head) return isStartOfLabel(text) ? 'wait' : null;
  const end = findClosingBracket(text, 0);
  const body = (whole: string): string => whole.slice(head.length);
  if (end < 0 || !tools.has(text.slice(head.length, end - 1).trim())) return { head, end, body };
  // The arguments of a name alone may be behind it; in a code block they are not read.
  const [blanks = '', sign] = /^\s{0,20}(?=([{`])?)/.exec(text.slice(end)) ?? [];
  const from = end + blanks.length;
  if (!atEnd && from === text.length) return 'wait';
  const argumentsEnd = sign === '{' ? findClosingBracket(text, from) : sign === '`' ? -1 : end;
  return { head: { ...head, isSure: true }, end: argumentsEnd, body };
}

/** Arguments that no prose has behind the name of a tool. */
const ARGUMENTS_BEGIN = /^\s{0,20}(?:[A-Za-z_]\w*\s{0,20}[=:]|[{["'])/;
/** A name that is no word of prose. */
const IS_IDENTIFIER = /[_\d]|[a-z][A-Z]/;

/** A call without a label: code, or a name and then an object or YAML. */
export function bareCallAt(
  { form, length, name }: Omit<CallStart, 'at'>,
  text: string,
  atEnd: boolean,
): WrittenCall {
  if (form === 'yaml') {
    const head = { length, isSure: IS_IDENTIFIER.test(name) };
    return { head, end: yamlEnd(text, length, atEnd), body: (whole) => whole };
  }
  if (form === 'named') {
    const body = (whole: string): string => `${name} ${whole.slice(length)}`;
    return { head: { length, isSure: true }, end: findClosingBracket(text, length), body };
  }
  const isList = text.startsWith('[');
  const isSure = isList || IS_IDENTIFIER.test(name) || ARGUMENTS_BEGIN.test(text.slice(length));
  const end = findClosingBracket(text, isList ? 0 : text.indexOf('('));
  return { head: { length, isSure }, end, body: (whole) => whole };
}

const YAML_LINE = /[ \t]*[A-Za-z_"'][^\n]*(?:\n|$)/y;

/** Behind the last line that is indented as those of the arguments are, or belongs to the same object. */
function yamlEnd(text: string, from: number, atEnd: boolean): number {
  let at = text.lastIndexOf('\n', from - 1) + 1;
  for (;;) {
    YAML_LINE.lastIndex = at;
    const line = YAML_LINE.exec(text)?.[0];
    const belongs =
      line !== undefined && /^(?:[ \t]+\S|(?:arguments|parameters|args|params|input)[ \t]*:)/.test(line);
    if (!belongs) return !atEnd && /^[ \t]*$/.test(text.slice(at)) ? -1 : at;
    at += line.length;
    if (!line.endsWith('\n')) return atEnd ? at : -1;
  }
}
