import { isObject } from '#src/common/validation/field-rules.js';
import type { UnnumberedCall } from './call-pieces.js';
import { balancedEnd, parsed } from './json-text.js';

const TEXT = /<\|"\|>([^]*?)<\|"\|>|<escape>([^]*?)<escape>/g;
const HEAD = /\bcall:([\w.-]+)\s*(?=\{)/g;
const KEY = /"(?:[^"\\]|\\.)*"|(?<!\w)([A-Za-z_]\w*)(?!\w)(?=\s{0,20}:)/g;
const MARKS = /<[^<>]*>|[\s,]/g;

/**
 * The calls of Gemma, `call:name{key:<|"|>text<|"|>,other:2}`: keys without quotes, texts in marks of their own.
 *
 * @returns null: the text is none, or not all of it can be read as calls of known tools
 */
export function bareCalls(text: string, known: ReadonlySet<string>): UnnumberedCall[] | null {
  const json = text.replace(TEXT, (_, first?: string, second?: string) => JSON.stringify(first ?? second));
  const calls: UnnumberedCall[] = [];
  let at = 0;
  for (const { 0: head, 1: name = '', index } of json.matchAll(HEAD)) {
    // Within the arguments in front of it.
    if (index < at) continue;
    const from = index + head.length;
    const end = balancedEnd(json, from);
    const args = json.slice(from, end).replace(KEY, (part, key?: string) => (key ? `"${key}"` : part));
    if (end < 0 || !known.has(name) || !isObject(parsed(args))) return null;
    if (json.slice(at, index).replace(MARKS, '') !== '') return null;
    calls.push({ id: null, name, arguments: args });
    at = end;
  }
  return calls.length > 0 && json.slice(at).replace(MARKS, '') === '' ? calls : null;
}
