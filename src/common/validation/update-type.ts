import type { Type } from '@nestjs/common';
import { declareField, fieldsOf } from './fields.js';

/**
 * The body of an update, out of that of a creation: every field is optional and absent keeps what is stored. Null,
 * which a creation takes for absent, is refused where it is no value of the field.
 */
export function UpdateType<T extends object>(creation: Type<T>): Type<Partial<T>> {
  class Update {}
  const fields = Object.entries(fieldsOf(creation.prototype as object));
  for (const [name, field] of fields) declareField(field, true)(Update.prototype, name);
  return Update as Type<Partial<T>>;
}
