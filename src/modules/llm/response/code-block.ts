import type { ParsedToolCall } from './tool-call-assembler.js';
import { callTagLength } from './call-tags.js';
import { decodeTags } from './odd-tags.js';
import { textAfterReasoning } from './open-reasoning.js';
import { isStartOfTag, THOUGHT_BEGIN } from './template-tags.js';
import { findClosingBracket, parseModelJson, tryParseJson } from './json-text.js';
import { isBrokenCall, JSON_START } from './broken-calls.js';
import { finalAnswerOf, parseTextCalls, resemblesCall, toToolCalls } from './text-calls.js';
import type { OfferedTools } from './tool-names.js';

export interface CodeBlock {
  text: string;
  isClosed: boolean;
}

/** The code block at the beginning of a text, as far as it has come; null: the backquotes are text. */
export function codeBlockAt(text: string): CodeBlock | 'wait' | null {
  if (/^`{1,2}$/.test(text)) return 'wait';
  if (!text.startsWith('```')) return null;
  const end = text.indexOf('```', 3);
  return end < 0 ? { text, isClosed: false } : { text: text.slice(0, end + 3), isClosed: true };
}

/** Whether reasoning begins or ends in a code block: then it is read as text. */
export function hasReasoning({ text, isClosed }: CodeBlock, atEnd: boolean): boolean {
  const content = text.replace(/^```\w*\s*/, '');
  const until = isClosed ? content.length - 3 : null;
  if (textAfterReasoning(content, until, isClosed || atEnd) !== null) return true;
  return (isClosed || atEnd || !/^[{[]/.test(content)) && THOUGHT_BEGIN.test(decodeTags(content));
}

/** What a code block or an object in a response is: calls, text, or nothing for reasoning and unspoken data. */
export interface BlockContent {
  calls?: ParsedToolCall[];
  isUnreadable?: boolean;
  text?: string;
}

/**
 * Reads a code block of a response.
 *
 * @param isSpoken whether the response is spoken: JSON is left out then
 */
export function readCodeBlock(block: string, tools: OfferedTools, isSpoken: boolean): BlockContent {
  const [, language = '', body = ''] = /^```(\w*)\s*([^]*?)(?:```)?$/.exec(block) ?? [];
  const calls = parseTextCalls(body.replace(/^print\(([^]*)\)\s*$/, '$1'), tools);
  if (calls) return { calls };
  if (/^(?:think|thought|reason)/.test(language)) return {};
  const value = tryParseJson(body);
  const answer = finalAnswerOf(value);
  if (answer !== null) return { text: answer };
  const isData = /^(?:json|xml)/.test(language) || /^[{[]/.test(body);
  if (language.startsWith('tool') || resemblesCall(value) || (isData && isBrokenCall(body, value)))
    return { isUnreadable: true };
  return body.trim() !== '' && !(isData && isSpoken) ? { text: block } : {};
}

/** Reads JSON in a response. */
function readJson(json: string, tools: OfferedTools, isSpoken: boolean): BlockContent {
  const value = parseModelJson(json);
  const answer = finalAnswerOf(value);
  if (answer !== null) return { text: answer };
  const calls = toToolCalls(value, tools);
  if (calls) return { calls };
  if (resemblesCall(value) || isBrokenCall(json, value)) return { isUnreadable: true };
  return isSpoken ? {} : { text: json };
}

/** Between Llama's calls. */
const BETWEEN_CALLS = /^\s{0,20};/;

/** Reads the JSON that a text begins with; null: its end is missing. */
export function jsonAt(
  text: string,
  tools: OfferedTools,
  isSpoken: boolean,
  atEnd: boolean,
): (BlockContent & { length: number }) | 'wait' | null {
  const end = findClosingBracket(text, 0);
  if (end < 0) return null;
  const content = readJson(text.slice(0, end), tools, isSpoken);
  if (!content.calls) return { length: end, ...content };
  const behind = text.slice(end);
  if (!atEnd && /^\s{0,20}$/.test(behind)) return 'wait';
  return { length: end + (BETWEEN_CALLS.exec(behind)?.[0].length ?? 0), ...content };
}

/** Reads the beginning of a text that is an incomplete tag, call or JSON at the end of a response. */
export function readUnended(
  text: string,
  tools: OfferedTools,
  isSpoken: boolean,
): BlockContent & { length: number } {
  const first = { length: 1, text: text.charAt(0) };
  if (JSON_START.test(text)) {
    if (endsReasoning(text, !isSpoken)) return isSpoken ? { length: 1 } : first;
    const isUnreadable = isBrokenCall(text, undefined) || (tools.size > 0 && ENDS_IN_KEY.test(text));
    return { length: text.length, isUnreadable, text: isUnreadable || isSpoken ? '' : text };
  }
  if (tools.size > 0 && (callTagLength(text, tools) < 0 || /^[[({]function=/.test(text)))
    return { length: text.length, isUnreadable: true };
  return isStartOfTag(text) ? { length: text.length } : first;
}

/** JSON that ends within its first key, which names a tool or a parameter: no text for people ends so. */
const ENDS_IN_KEY = /^[[{\s]{1,20}["'][\w-]{0,60}["']?\s{0,20}:?\s{0,20}$/;

/** Whether reasoning ends in broken JSON; `isOpen`: also where it begins there. */
const endsReasoning = (json: string, isOpen: boolean): boolean =>
  textAfterReasoning(json, null, true) !== null && (isOpen || !THOUGHT_BEGIN.test(decodeTags(json)));
