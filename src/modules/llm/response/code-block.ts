import type { ParsedToolCall } from './tool-call-assembler.js';
import { tryParseJson } from './json-text.js';
import { isBrokenCall } from './broken-calls.js';
import { finalAnswerOf, parseTextCalls, resemblesCall } from './text-calls.js';

/** The code block at the beginning of a text, as far as it has come; null: the backquotes are text. */
export function codeBlockAt(text: string): { text: string; isClosed: boolean } | 'wait' | null {
  if (/^`{1,2}$/.test(text)) return 'wait';
  if (!text.startsWith('```')) return null;
  const end = text.indexOf('```', 3);
  return end < 0 ? { text, isClosed: false } : { text: text.slice(0, end + 3), isClosed: true };
}

/**
 * Reads a code block of a response: calls, text, or nothing for reasoning and data that is not spoken.
 *
 * @param isSpoken whether the response is spoken: JSON is left out then
 */
export function readCodeBlock(
  block: string,
  tools: ReadonlySet<string>,
  isSpoken: boolean,
): { calls?: ParsedToolCall[]; isUnreadable?: boolean; text?: string } {
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
