import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsObject,
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { createField, isId, MAX_ID, type FieldOptions } from './fields.js';
import { coerceNumber, HasMaxKilobytes, fieldMessage, isObject, fieldRuleMessage } from './field-rules.js';

const MAX_FREE_DEPTH = 16;
const MAX_FREE_KILOBYTES = 64;
/** The size of a value as JSON, which OpenAPI has no keyword for. */
const KILOBYTES_EXTENSION = 'x-max-kilobytes';

/**
 * A free-form object: any keys, passed through untouched (class-transformer would drop keys such as
 * `toString`). Depth ≤ 16, ≤ `maxKilobytes` (64) as JSON. `properties`: schemas of keys with a meaning, to document
 * them. `mergesLists`: a list of objects is taken as one object.
 */
export function FreeObjectField({
  maxKilobytes = MAX_FREE_KILOBYTES,
  properties,
  mergesLists = false,
  ...options
}: FieldOptions & {
  maxKilobytes?: number;
  properties?: Record<string, object>;
  mergesLists?: boolean;
} = {}) {
  const read = mergesLists ? mergeList : (value: unknown) => value;
  const rules = [
    Transform(({ value, obj, key }: { value: unknown; obj: Record<string, unknown>; key: string }) =>
      value === undefined || value === null ? value : read(obj[key]),
    ),
    ValidateBy({
      name: 'isFreeObject',
      validator: {
        validate: (value) => freeObjectProblem(value, maxKilobytes) === null,
        defaultMessage: (args) => {
          const { property, value } = args as ValidationArguments;
          return fieldMessage(property, freeObjectProblem(value, maxKilobytes) ?? 'is invalid');
        },
      },
    }),
  ];
  const limits = `At most ${maxKilobytes} KiB as JSON and ${MAX_FREE_DEPTH} levels deep`;
  const lists = mergesLists ? '; a list of objects is merged from left to right, `[]` is `{}`' : '';
  const description = [options.description, `${limits}${lists}.`].filter(Boolean).join(' ');
  return createField(
    { ...options, description },
    {
      type: 'object',
      additionalProperties: true,
      [KILOBYTES_EXTENSION]: maxKilobytes,
      ...(properties && { properties }),
    },
    rules,
  );
}

/** Variables: clients of PHP write `{}` as `[]`, form builders write a list with an object for each row. */
export const VariablesField = (options: FieldOptions = {}) =>
  FreeObjectField({ ...options, mergesLists: true });

function mergeList(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every(isObject)) return value;
  // Not `Object.assign`, which would set the prototype for a key `__proto__`.
  return Object.fromEntries(value.flatMap((item) => Object.entries(item)));
}

export function freeObjectProblem(value: unknown, maxKilobytes = MAX_FREE_KILOBYTES): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  if (Object.hasOwn(value, '__proto__')) return 'must not have a key named __proto__';
  if (depthOf(value, MAX_FREE_DEPTH) > MAX_FREE_DEPTH)
    return `must not be nested deeper than ${MAX_FREE_DEPTH} levels`;
  if (Buffer.byteLength(JSON.stringify(value)) > maxKilobytes * 1024)
    return `must not be larger than ${maxKilobytes} kilobytes`;
  return null;
}

/** Levels of nesting, counted no further than one past `limit`. */
function depthOf(value: object, limit: number): number {
  let level = 0;
  for (let layer: object[] = [value]; layer.length > 0 && level <= limit; level++) {
    layer = layer
      .flatMap((node) => Object.values(node))
      .filter((child) => typeof child === 'object' && child !== null);
  }
  return level;
}

/** An object of a DTO class; its errors are keyed `field.name`. */
export function NestedField(item: () => new () => object, options: FieldOptions = {}) {
  const rules = [
    Type(item),
    IsObject({ message: fieldRuleMessage('must be an object') }),
    ValidateNested({ message: fieldRuleMessage('must be an object') }),
  ];
  return createField(options, { type: () => item() }, rules);
}

/** A list of objects of one DTO class; each is validated, errors are keyed `field.index.name`. */
export function ListField(
  item: () => new () => object,
  options: FieldOptions & { max?: number; maxKilobytes?: number } = {},
) {
  const { max = 100, maxKilobytes, ...rest } = options;
  const rules = [
    Type(item),
    IsArray({ message: fieldRuleMessage('must be an array') }),
    ArrayMaxSize(max, { message: fieldRuleMessage(`must not have more than ${max} items`) }),
    ValidateNested({ each: true, message: fieldRuleMessage('must be an object') }),
    // It takes lists of objects for objects.
    ValidateBy(
      { name: 'isNoList', validator: { validate: (value) => !Array.isArray(value) } },
      { each: true, message: fieldRuleMessage('must be an object') },
    ),
  ];
  if (maxKilobytes !== undefined) rules.push(HasMaxKilobytes(maxKilobytes));
  const size = maxKilobytes === undefined ? {} : { [KILOBYTES_EXTENSION]: maxKilobytes };
  return createField(rest, { type: () => item(), isArray: true, maxItems: max, ...size }, rules);
}

/** A list of ids, each 1…2147483647; canonical text is taken for a number. */
export function IdListField(options: FieldOptions & { max?: number } = {}) {
  const { max = 100, ...rest } = options;
  const rules = [
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(coerceNumber) : value)),
    IsArray({ message: fieldRuleMessage('must be an array') }),
    ArrayMaxSize(max, { message: fieldRuleMessage(`must not have more than ${max} items`) }),
    ValidateBy(
      { name: 'isId', validator: { validate: isId, defaultMessage: () => 'must be an integer' } },
      { each: true, message: fieldRuleMessage('must be a list of integers') },
    ),
  ];
  const items = { type: 'integer', minimum: 1, maximum: MAX_ID };
  return createField(rest, { type: 'array', items, maxItems: max }, rules);
}
