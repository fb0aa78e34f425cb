/**
 * A value from outside in the form that the database accepts, text or JSON: without NUL characters, and with a
 * replacement for halves of characters.
 */
export function toStorable<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '') as T;
  if (Array.isArray(value)) return value.map((one: unknown) => toStorable(one)) as T;
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [toStorable(key), toStorable(one)]),
  ) as T;
}

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype;

/** Text that Postgres cannot keep: NUL, and surrogates without their other half. */
export const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed();
