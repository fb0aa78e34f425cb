import { isObject } from '#src/common/validation/field-rules.js';
import { findClosingBracket, parseModelJson, quoted, tryParseJson, type JsonObject } from './json-text.js';

const KEY = /^([A-Za-z_]\w*)\s{0,20}[=:]\s{0,20}/;
const LITERAL =
  /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?(?![\w.])|(?:true|false|null|True|False|None)\b)/;
const SEPARATOR = /^\s{0,20}(?:,\s{0,20}|$)/;

/**
 * Arguments between the parentheses of a call: `key="value", other=3`, an object, or one value.
 *
 * @param single the parameter that one value without a name is for
 * @returns undefined: none; null: they cannot be read
 */
export function parseCallArguments(text: string, single: string | null): JsonObject | null | undefined {
  if (text.trim() === '') return undefined;
  const whole = parseModelJson(text.trim().replace(/,$/, ''));
  if (isObject(whole)) return whole;
  const values: [string, unknown][] = [];
  for (let rest = text.trim(); rest !== '';) {
    const [head = '', key = ''] = KEY.exec(rest) ?? [];
    const value = valueAt(rest.slice(head.length));
    if (!value || (key === '' && (single === null || values.length > 0))) return null;
    const behind = rest.slice(head.length + value.length);
    const separator = SEPARATOR.exec(behind)?.[0];
    if (separator === undefined || (key === '' && behind.length > separator.length)) return null;
    values.push([key || (single ?? ''), value.value]);
    rest = behind.slice(separator.length);
  }
  return Object.fromEntries(values);
}

/** The literal, list or object that a text begins with. */
function valueAt(text: string): { length: number; value: unknown } | null {
  const length = /^[[{]/.test(text) ? findClosingBracket(text, 0) : (LITERAL.exec(text)?.[0].length ?? 0);
  if (length <= 0) return null;
  const value = parseLiteral(text.slice(0, length));
  return value === undefined ? null : { length, value };
}

/** A value in the form of JSON, JavaScript or Python; undefined: it cannot be read. */
export function parseLiteral(text: string): unknown {
  if (text.startsWith("'")) return tryParseJson(quoted(text.slice(1, -1)));
  if (/^[[{]/.test(text)) return parseModelJson(text);
  return tryParseJson(
    text
      .replace(/^True$/, 'true')
      .replace(/^False$/, 'false')
      .replace(/^None$/, 'null'),
  );
}
