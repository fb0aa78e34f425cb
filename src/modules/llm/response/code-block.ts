import type { ParsedToolCall } from './tool-call-assembler.js';
import { parseModelJson, tryParseJson } from './json-text.js';
import { isBrokenCall } from './broken-calls.js';
import { finalAnswerOf, parseTextCalls, resemblesCall, toToolCalls } from './text-calls.js';

/** The code block at the beginning of a text, as far as it has come; null: the backquotes are text. */
export function codeBlockAt(text: string): { text: string; isClosed: boolean } | 'wait' | null {
  if (/^`{1,2}$/.test(text)) return 'wait';
  if (!text.startsWith('```')) return null;
  const end = text.indexOf('```', 3);
  return end < 0 ? { text, isClosed: false } : { text: text.slice(0, end + 3), isClosed: true };
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
export function readCodeBlock(block: string, tools: ReadonlySet<string>, isSpoken: boolean): BlockContent {
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
export function readJson(json: string, tools: ReadonlySet<string>, isSpoken: boolean): BlockContent {
  const value = parseModelJson(json);
  const answer = finalAnswerOf(value);
  if (answer !== null) return { text: answer };
  const calls = toToolCalls(value, tools);
  if (calls) return { calls };
  if (resemblesCall(value) || isBrokenCall(json, value)) return { isUnreadable: true };
  return isSpoken ? {} : { text: json };
}
