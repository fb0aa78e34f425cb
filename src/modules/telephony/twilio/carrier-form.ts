import { parse } from 'node:querystring';
import { BadRequest } from '#src/common/errors/api-error.js';

/** A form-encoded body; a repeated field is a list. It has no prototype, so that any field name is safe. */
export type CarrierForm = Readonly<Record<string, string | string[]>>;

/** The carrier's own forms have about thirty. */
export const MAX_FORM_FIELDS = 200;

/** @throws BadRequest when it has more than `MAX_FORM_FIELDS` fields, equal names counted each. */
export function parseCarrierForm(text: string): CarrierForm {
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) {
    throw new BadRequest('The form has too many fields.');
  }
  return parse(text) as CarrierForm;
}

export function formField(form: CarrierForm, name: string): string | undefined {
  const value = form[name];
  const first = Array.isArray(value) ? value[0] : value;
  return first === '' ? undefined : first;
}

/** @throws BadRequest when the field is missing. */
export function requiredFormField(form: CarrierForm, name: string): string {
  const value = formField(form, name);
  if (value === undefined) throw new BadRequest(`${name} is missing.`);
  return value;
}

/** A whole number ≥ 0; undefined for anything else. */
export function integerFormField(form: CarrierForm, name: string): number | undefined {
  const value = formField(form, name);
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
