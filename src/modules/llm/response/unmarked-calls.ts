import { isObject } from '#src/common/validation/field-rules.js';
import type { ParsedToolCall } from './tool-call-assembler.js';
import { findClosingBracket, tryParseJson } from './json-text.js';
import type { OfferedTools } from './tool-names.js';

const TEXT = /<\|"\|>([^]*?)<\|"\|>|<escape>([^]*?)<escape>/g;
const HEAD = /\bcall:([\w.-]+)\s*(?=\{)/g;
const KEY = /"(?:[^"\\]|\\.)*"|(?<!\w)([A-Za-z_]\w*)(?!\w)(?=\s{0,20}:)/g;
const MARKS = /<[^<>]*>|[\s,]/g;

/**
 * Parses the calls of Gemma, `call:name{key:<|"|>text<|"|>,other:2}`: keys without quotes, texts in special tokens.
 *
 * @returns null: there is no call, or a part is no call of a known tool
 */
export function parseUnmarkedCalls(text: string, known: OfferedTools): ParsedToolCall[] | null {
  const json = text.replace(TEXT, (_, first?: string, second?: string) => JSON.stringify(first ?? second));
  const calls: ParsedToolCall[] = [];
  let at = 0;
  for (const { 0: head, 1: name = '', index } of json.matchAll(HEAD)) {
    // Within the arguments in front of it.
    if (index < at) continue;
    const from = index + head.length;
    const end = findClosingBracket(json, from);
    const args = json.slice(from, end).replace(KEY, (part, key?: string) => (key ? `"${key}"` : part));
    if (end < 0 || !known.has(name) || !isObject(tryParseJson(args))) return null;
    if (json.slice(at, index).replace(MARKS, '') !== '') return null;
    calls.push({ id: null, name, arguments: args });
    at = end;
  }
  return calls.length > 0 && json.slice(at).replace(MARKS, '') === '' ? calls : null;
}
