import { RestError, type RestErrorCode } from './rest-error.js';

/** A decoded form or query string: a repeated field is an array. */
export type Form = Record<string, string | string[] | undefined>;

export function first(form: Form, name: string): string | undefined {
  const value = form[name];
  return Array.isArray(value) ? value[0] : value;
}

export function every(form: Form, name: string): string[] {
  return [form[name] ?? []].flat();
}

export function requiredField(form: Form, name: string, missing: RestErrorCode): string {
  const value = first(form, name)?.trim();
  if (!value) throw new RestError(missing);
  return value;
}

const E164 = /^\+[1-9]\d{6,14}$/;
/** The carrier validates the length of North American numbers: +1234567890 is invalid. */
const WRONG_LENGTH = /^\+1(?!\d{10}$)/;

export function requiredNumber(
  form: Form,
  name: string,
  codes: { missing: RestErrorCode; invalid: RestErrorCode },
): string {
  const value = requiredField(form, name, codes.missing);
  if (!E164.test(value) || WRONG_LENGTH.test(value)) throw new RestError(codes.invalid);
  return value;
}

export function optionalUrl(form: Form, name: string): string | null {
  const value = first(form, name);
  if (!value) return null;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) throw new RestError(21205);
  return value;
}

export function seconds(form: Form, name: string, fallback: number): number {
  const value = first(form, name);
  if (value === undefined) return fallback;
  if (!/^\d{1,6}$/.test(value)) throw new RestError(20001);
  return Number(value);
}
