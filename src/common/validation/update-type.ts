import type { Type } from '@nestjs/common';
import { declareField, dtoFieldsOf } from './fields.js';

/**
 * The body of an update, derived from that of a creation: every field is optional, and an absent field keeps the
 * stored value. Null, which means absent in a creation, is refused where it is no value of the field.
 */
export function UpdateType<T extends object>(creation: Type<T>): Type<Partial<T>> {
  class Update {}
  const fields = Object.entries(dtoFieldsOf(creation.prototype as object));
  for (const [name, field] of fields) declareField(field, true)(Update.prototype, name);
  return Update as Type<Partial<T>>;
}
