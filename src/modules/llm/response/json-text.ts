export type JsonObject = Record<string, unknown>;

const FENCE = '```';
/** Of JavaScript and Python, whose JSON has `NaN`, too. A text without its end goes to the end, so that the search takes linear time. */
const LOOSE_TOKEN =
  /"(?:[^"\\]|\\.)*(?:"|$)|'((?:[^'\\]|\\.)*)(?:'|$)|(?<![\w$])([A-Za-z_$][\w$]*)(?![\w$])(?=\s{0,20}:)|\b(?:True|False|None|NaN)\b|-?\bInfinity\b|,(?=\s{0,20}[}\]])/g;
const PYTHON_NAMES: Record<string, string> = {
  True: 'true',
  False: 'false',
  None: 'null',
  NaN: 'null',
  Infinity: 'null',
  '-Infinity': 'null',
};

/**
 * JSON as models write it: also in a code fence, as an object of JavaScript, or as a Python dictionary. Undefined for
 * any other text.
 */
export function parseModelJson(text: string): unknown {
  const content = withoutFence(text.trim());
  return tryParseJson(content) ?? (/^[{[]/.test(content) ? tryParseJson(fromLoose(content)) : undefined);
}

function withoutFence(text: string): string {
  const isFenced = text.length >= 2 * FENCE.length && text.startsWith(FENCE) && text.endsWith(FENCE);
  return isFenced ? text.slice(FENCE.length, -FENCE.length).replace(/^\w+/, '').trim() : text;
}

/** A text of JavaScript or Python in single quotes, without them, as one of JSON. */
export const quoted = (single: string): string =>
  `"${single.replace(/\\'/g, "'").replace(/(?<!\\)"/g, '\\"')}"`;

/** A comma behind the last value counts only in JavaScript: in JSON, the next value may be lost. */
const fromLoose = (text: string): string => {
  const isScript = /[{,]\s{0,20}[A-Za-z_$]/.test(text);
  return text.replace(LOOSE_TOKEN, (token, single?: string, key?: string) => {
    if (key !== undefined) return `"${key}"`;
    if (token === ',') return isScript ? '' : ',';
    return single === undefined ? (PYTHON_NAMES[token] ?? token) : quoted(single);
  });
};

/** Undefined for text that is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Finds the bracket that closes the one at `from`; brackets in quotes do not count.
 *
 * @returns the position behind it; -1: the text ends before it
 */
export function findClosingBracket(text: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '"') quote = sign;
    else if ('{[(【「'.includes(sign)) depth += 1;
    else if ('}])】」'.includes(sign) && (depth -= 1) <= 0) return at + 1;
  }
  return -1;
}

/** Start of an object or a list; `[ARGS]` is a tag of a template. */
export const JSON_BEGINS = /\{|\[(?!\/?[A-Z_]+\])/;

/** The objects and lists in a text, and the text between them; null if one is not JSON. */
export function extractJson(text: string): { values: unknown[]; between: string } | null {
  const values: unknown[] = [];
  let between = '';
  let at = 0;
  for (let next = text.search(JSON_BEGINS); next >= 0; next = text.slice(at).search(JSON_BEGINS)) {
    between += `${text.slice(at, at + next)} `;
    const end = findClosingBracket(text, at + next);
    const value = end < 0 ? undefined : parseModelJson(text.slice(at + next, end));
    if (value === undefined) return null;
    values.push(value);
    at = end;
  }
  return { values, between: between + text.slice(at) };
}
