import { parseLiteral } from './call-values.js';
import type { JsonObject } from './json-text.js';

const LINE = /^([ \t]*)(["']?)([A-Za-z_][\w-]*)\2:(?:[ \t]+(.*))?$/;

/** YAML of nothing but keys with texts or further keys; null: anything else. Texts stay texts. */
export function parseYamlObject(text: string): JsonObject | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const read = readLevel(lines, 0, indentOf(lines[0] ?? ''));
  return read && read.next === lines.length && lines.length > 1 ? read.object : null;
}

const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;

function readLevel(
  lines: readonly string[],
  from: number,
  indent: number,
): { object: JsonObject; next: number } | null {
  const entries: [string, unknown][] = [];
  let at = from;
  while (at < lines.length && indentOf(lines[at] ?? '') === indent) {
    const [line, , , key = '', written = ''] = LINE.exec(lines[at] ?? '') ?? [];
    if (line === undefined || entries.some(([name]) => name === key)) return null;
    const deeper = indentOf(lines[at + 1] ?? '');
    at += 1;
    if (written.trim() === '') {
      const inner = deeper > indent ? readLevel(lines, at, deeper) : null;
      if (!inner) return null;
      entries.push([key, inner.object]);
      at = inner.next;
      continue;
    }
    const value = readScalar(written.trim());
    if (value === undefined) return null;
    entries.push([key, value]);
  }
  const isDeeper = at < lines.length && indentOf(lines[at] ?? '') > indent;
  return entries.length > 0 && !isDeeper ? { object: Object.fromEntries(entries), next: at } : null;
}

/** Undefined: a form of YAML that is not read. */
function readScalar(text: string): unknown {
  if (/^["'[{]/.test(text)) return parseLiteral(text);
  return /^[|>&*!%@`#?-]|\s#|:\s|^(?:~|null)$/i.test(text) && !/^-\d/.test(text) ? undefined : text;
}
