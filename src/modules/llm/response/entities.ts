/** An ampersand, escaped any number of times. */
export const AMPERSAND = '&(?:amp;|#0{0,4}38;|#x0{0,4}26;)*';
const NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  sol: '/',
};
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp|sol)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;
const AT_START = new RegExp(
  `^(${AMPERSAND})(?:(?:lt|gt|quot|apos|nbsp|sol)|#\\d{1,7}|#x[\\da-f]{1,6});`,
  'i',
);
const LONE_AMPERSAND = new RegExp(`^${AMPERSAND}`, 'i');
const PART = `${AMPERSAND}(?:[a-z]{0,4}|#\\d{0,7}|#x[\\da-f]{0,6})$`;
const ENDS_IN_PART = new RegExp(PART, 'i');
const IS_PART = new RegExp(`^${PART}`, 'i');
/** Where JSON begins whose quotes are escaped, and the same in part. */
const ESCAPED_JSON = new RegExp(
  `^(?:\\{|\\[\\s*\\{)\\s*(${AMPERSAND})(?:quot|apos|#0{0,4}3[49]|#x0{0,4}2[27]);`,
  'i',
);
const ESCAPED_JSON_PART = new RegExp(`^(?:\\{|\\[\\s*\\{)\\s*${PART}`, 'i');
/** Of double escaping and more. */
const MAX_LEVELS = 5;
/** Decoded characters that show whether markup begins; a longer tag is text. */
const MAX_TAG = 1_200;

const decodeOnce = (text: string): string =>
  text.replace(ENTITY, (entity, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMES[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
  });

function decode(text: string, levels: number): string {
  let decoded = text;
  for (let left = levels; left > 0; left -= 1) decoded = decodeOnce(decoded);
  return decoded;
}

/** Decodes all levels of escaping. */
export function decodeEntities(text: string): string {
  let decoded = text;
  for (let left = MAX_LEVELS; left > 0; left -= 1) {
    const next = decodeOnce(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

/** What an entity in the text is; `levels`: escaped markup begins here, escaped this many times. */
export type EntityMatch = { length: number; text: string } | { levels: number } | 'wait' | null;

/**
 * Decodes the entities of a streamed text, from the first escaped tag or object on: a model or a gateway that escapes one
 * tag escapes the others, and the arguments between them. Arguments before it are not changed.
 */
export class EntityDecoder {
  private levels = 0;
  /** The end of the last piece, which may be a part of an entity. */
  private carried = '';

  /** @param atEnd no other piece follows */
  push(piece: string, atEnd: boolean): string {
    const text = this.carried + piece;
    const end = atEnd || this.levels === 0 ? text.length : (ENDS_IN_PART.exec(text)?.index ?? text.length);
    this.carried = text.slice(end);
    return decode(text.slice(0, end), this.levels);
  }

  /** Decodes the text from an escaped tag or object on, and all that follows. */
  begin(text: string, levels: number, atEnd: boolean): string {
    // With earlier levels, the end of the text is carried already.
    const isFirst = this.levels === 0;
    this.levels += levels;
    return isFirst ? this.push(text, atEnd) : decode(text, levels);
  }
}

/**
 * The entity, or the object with escaped quotes, at the beginning of a text; null: neither.
 *
 * @param beginsMarkup whether a decoded text begins with a tag or an object that is not spoken
 */
export function entityAt(
  text: string,
  atEnd: boolean,
  beginsMarkup: (decoded: string) => boolean | 'wait',
): EntityMatch {
  if (!text.startsWith('&')) {
    const levels = levelsOf(ESCAPED_JSON.exec(text)?.[1]);
    return levels > 0 ? { levels } : !atEnd && ESCAPED_JSON_PART.test(text) ? 'wait' : null;
  }
  if (!atEnd && IS_PART.test(text)) return 'wait';
  const [entity = '', ampersand] = AT_START.exec(text) ?? [];
  if (entity === '') return { length: LONE_AMPERSAND.exec(text)?.[0].length ?? 1, text: '&' };
  const levels = levelsOf(ampersand);
  const isMarkup = beginsMarkup(decode(text.slice(0, MAX_TAG), levels));
  if (isMarkup === 'wait' && !atEnd) return 'wait';
  return isMarkup === false ? { length: entity.length, text: decode(entity, levels) } : { levels };
}

/** An ampersand that is not escaped is one level. */
const levelsOf = (ampersand: string | undefined): number =>
  ampersand === undefined ? 0 : Math.min(MAX_LEVELS, ampersand.split(';').length);
