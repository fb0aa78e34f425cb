import type { SchemaNode } from './chat-request.js';

const WEEKDAY = '(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const MONTH_DAY =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december) \\d{1,2}(?:st|nd|rd|th)?';
const DATE = new RegExp(
  `\\b(${WEEKDAY}|${MONTH_DAY}|today|tomorrow|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4})\\b`,
  'i',
);
const TIME = /\b(\d{1,2}(?::\d{2})?\s?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\d{1,2}:\d{2}|noon|midnight)/i;
const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Facts that people state about themselves, and their phrases. */
const PATTERNS = {
  name: /(?:[Mm]y name is|[Tt]his is|I am|I'm|[Ss]peaking with)\s+((?:\p{Lu}[\p{L}'-]+)(?:\s\p{Lu}[\p{L}'-]+)*)/u,
  email: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/,
  phone: /\+?\d[\d ()-]{6,}\d/,
  order:
    /\b(?:order|reference|ticket|invoice|booking|case|customer)(?:\s(?:number|no\.?|id|code))*(?:\sis)?\s#?([A-Z]*-?\d[\w-]*)/i,
  date: DATE,
  time: TIME,
  place: /\b(?:in|from|near|to)\s+(\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)*)/u,
} as const;

export type FactKind = keyof typeof PATTERNS | 'when';

/** Words in a field's name or description for each fact; the first match counts. */
const ASKED_BY: readonly (readonly [words: RegExp, kind: FactKind])[] = [
  [/\be ?mail\b/, 'email'],
  [/\b(phone|mobile|telephone|cell)\b/, 'phone'],
  [/\b(order|reference|ticket|invoice|case)\b/, 'order'],
  [/\b(date ?time|when|slot|appointment|date and time)\b/, 'when'],
  [/\b(date|day|weekday)\b/, 'date'],
  [/\b(time|hour|clock)\b/, 'time'],
  [/\b(city|town|location|place|where)\b/, 'place'],
  [/\bname\b/, 'name'],
  [/\b(id|number|code)\b/, 'order'],
];

/** The fact of a schema property; its name has precedence over its description. */
export function factKind(name: string, schema: SchemaNode): FactKind | null {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
  for (const text of [spaced, schema.description ?? '']) {
    const found = ASKED_BY.find(([words]) => words.test(text.toLowerCase()));
    if (found !== undefined) return found[1];
  }
  return null;
}

/** The latest mention in the customer's utterances; null without one. */
export function findFact(kind: FactKind, lines: readonly string[]): string | null {
  if (kind === 'when') {
    const parts = [findFact('date', lines), findFact('time', lines)].filter((part) => part !== null);
    return parts.length > 0 ? parts.join(' at ') : null;
  }
  for (const line of lines.toReversed()) {
    const match = PATTERNS[kind].exec(line);
    const value = match?.[1] ?? match?.[0];
    if (value !== undefined) return value.trim();
  }
  return null;
}

export function findNumber(lines: readonly string[]): number | null {
  // The 3 of "3 pm" is no count.
  for (const line of lines.toReversed().map((one) => one.replace(TIME, ''))) {
    const digits = /-?\d+(?:[.,]\d+)?/.exec(line)?.[0];
    if (digits !== undefined) return Number(digits.replace(',', '.'));
    const words = line.toLowerCase().split(/[^a-z]+/);
    const spelled = NUMBER_WORDS.findIndex((word) => words.includes(word));
    if (spelled >= 0) return spelled;
  }
  return null;
}
