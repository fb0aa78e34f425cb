export type JsonObject = Record<string, unknown>;

/** Undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Where the object, list or call that begins at `from` with a bracket ends, quotes obeyed.
 *
 * @returns the position behind the last bracket; -1: it does not end in this text
 */
export function balancedEnd(text: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '"') quote = sign;
    else if ('{[('.includes(sign)) depth += 1;
    else if ('}])'.includes(sign) && (depth -= 1) <= 0) return at + 1;
  }
  return -1;
}

/** What begins an object or a list; `[ARGS]` is a mark of a template. */
const BEGINS = /\{|\[(?!\/?[A-Z_]+\])/;

/** The objects and lists in a text, whatever stands between them; null where one is no JSON. */
export function jsonIn(text: string): { values: unknown[]; between: string } | null {
  const values: unknown[] = [];
  let between = '';
  let at = 0;
  for (let next = text.search(BEGINS); next >= 0; next = text.slice(at).search(BEGINS)) {
    between += `${text.slice(at, at + next)} `;
    const end = balancedEnd(text, at + next);
    const value = end < 0 ? undefined : parsed(text.slice(at + next, end));
    if (value === undefined) return null;
    values.push(value);
    at = end;
  }
  return { values, between: between + text.slice(at) };
}
