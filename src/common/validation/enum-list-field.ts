import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { says, saysSelectedInvalid } from './field-messages.js';
import { field, type FieldOptions } from './fields.js';

/** A list of at least one of the given texts, none of them twice. */
export function EnumListField(values: readonly string[], options: FieldOptions = {}) {
  const rules = [
    IsArray({ message: says('must be an array') }),
    ArrayMaxSize(values.length, { message: says(`must not have more than ${values.length} items`) }),
    ArrayMinSize(1, { message: says('must have at least 1 item') }),
    IsIn(values, { each: true, message: saysSelectedInvalid }),
    ArrayUnique({ message: says('must not have duplicate values') }),
  ];
  const items = { type: 'string', enum: values };
  return field(
    options,
    { type: 'array', items, minItems: 1, maxItems: values.length, uniqueItems: true },
    rules,
  );
}
