import type { TransformFnParams } from 'class-transformer';
import { type ValidationArguments, ValidateBy, ValidateIf } from 'class-validator';
import { checkUrl } from '../outbound-http/check-url.js';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const CANONICAL_DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/**
 * Form-like clients send numbers as text; only the canonical spelling is converted, any other value stays unchanged.
 */
export function coerceNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 32 || !CANONICAL_DECIMAL.test(value)) return value;
  return Number(value);
}

/** `1`, `0`, `"1"`, `"0"` are booleans; any other value stays unchanged. */
export function coerceBoolean(value: unknown): unknown {
  if (value === 1 || value === '1') return true;
  if (value === 0 || value === '0') return false;
  return value;
}

/** Forms send every field: an empty text means null, and absent for fields without null. */
export const emptyToUndefined = ({ value }: TransformFnParams): unknown =>
  value === '' || value === null ? undefined : value;

/** The same in an update, which refuses null. */
export const emptyTextToUndefined = ({ value }: TransformFnParams): unknown =>
  value === '' ? undefined : value;

/** The same for fields of which null is a value. */
export const emptyToNull = ({ value }: TransformFnParams): unknown => (value === '' ? null : value);

/** Blanks, and signs without a width. */
const BLANK = /^[\s\p{Cf}]*$/u;

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && BLANK.test(value));

const isGiven = (object: Record<string, unknown>, names: readonly string[]): boolean =>
  names.some((name) => !isBlank(object[name]));

/** For a field with aliases: a blank text and null count as absent if another name has a value. */
export const emptyAliasToUndefined =
  (otherNames: readonly string[]) =>
  ({ value, obj }: TransformFnParams): unknown =>
    isBlank(value) && isGiven(obj as Record<string, unknown>, otherNames) ? undefined : value;

/** `webhook_url` → `webhook url`. */
export const toFieldLabel = (field: string): string => field.replaceAll('_', ' ');

export const requiredMessage = (field: string): string => `The ${toFieldLabel(field)} field is required.`;
export const selectedInvalidMessage = (field: string): string =>
  `The selected ${toFieldLabel(field)} is invalid.`;
export const fieldMessage = (field: string, rule: string): string =>
  `The ${toFieldLabel(field)} field ${rule}.`;

/** A class-validator message `The <field in words> field <rule>.` */
export const fieldRuleMessage =
  (rule: string) =>
  (args: ValidationArguments): string =>
    fieldMessage(args.property, rule);

export const selectedInvalidRuleMessage = (args: ValidationArguments): string =>
  selectedInvalidMessage(args.property);

const saysRequired = (args: ValidationArguments) => requiredMessage(args.property);

/**
 * class-validator's `ValidateIf` by presence: absent values are validated only if the field is required under all of its
 * names, null only if the field is not nullable.
 */
export function ValidateWhenPresent(
  required: boolean,
  nullable: boolean,
  otherNames: readonly string[],
): PropertyDecorator[] {
  if (required && !nullable && otherNames.length === 0) return [];
  return [
    ValidateIf(
      (object: Record<string, unknown>, value) =>
        !(value === undefined && (!required || isGiven(object, otherNames))) && !(value === null && nullable),
    ),
  ];
}

export const IsPresent = (nullable = false) =>
  ValidateBy({
    name: 'isPresent',
    validator: {
      validate: (value) => value !== undefined && value !== '' && (nullable || value !== null),
      defaultMessage: (args) => saysRequired(args as ValidationArguments),
    },
  });

/** Present and not an empty text. */
export const IsFilled = () =>
  ValidateBy({
    name: 'isFilled',
    validator: {
      validate: (value) => !isBlank(value),
      defaultMessage: (args) => saysRequired(args as ValidationArguments),
    },
  });

export const IsWithin = (min: number, max: number) =>
  ValidateBy({
    name: 'isWithin',
    constraints: [min, max],
    validator: {
      validate: (value) => typeof value === 'number' && value >= min && value <= max,
      defaultMessage: (args) =>
        fieldMessage((args as ValidationArguments).property, `must be between ${min} and ${max}`),
    },
  });

export const HasMaxUtf16Units = (max: number) =>
  ValidateBy({
    name: 'hasMaxUnits',
    constraints: [max],
    validator: {
      validate: (value) => typeof value === 'string' && value.length <= max,
      defaultMessage: (args) =>
        fieldRuleMessage(`must not be greater than ${max} characters`)(args as ValidationArguments),
    },
  });

/** Of the value as JSON. */
export const HasMaxKilobytes = (max: number) =>
  ValidateBy({
    name: 'hasMaxKilobytes',
    constraints: [max],
    validator: {
      validate: (value) => Buffer.byteLength(JSON.stringify(value) ?? '') <= max * 1024,
      defaultMessage: (args) =>
        fieldRuleMessage(`must not be larger than ${max} kilobytes`)(args as ValidationArguments),
    },
  });

export const IsOutboundUrl = () =>
  ValidateBy({
    name: 'isUrlOf',
    validator: {
      validate: (value) => typeof value === 'string' && checkUrl(value) === null,
      defaultMessage: (args) => fieldRuleMessage('must be a valid URL')(args as ValidationArguments),
    },
  });
