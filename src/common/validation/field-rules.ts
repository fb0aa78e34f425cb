import type { TransformFnParams } from 'class-transformer';
import { type ValidationArguments, ValidateBy, ValidateIf } from 'class-validator';
import { checkUrl } from '../outbound-http/check-url.js';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const CANONICAL_DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Form-like clients send numbers as text; only the canonical spelling is taken, all else stays as it came. */
export function coerceNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 32 || !CANONICAL_DECIMAL.test(value)) return value;
  return Number(value);
}

/** `1`, `0`, `"1"`, `"0"` stand for booleans; all else stays as it came. */
export function coerceBoolean(value: unknown): unknown {
  if (value === 1 || value === '1') return true;
  if (value === 0 || value === '0') return false;
  return value;
}

/** Forms send every field: an empty text stands for null. For fields without null: the field is absent. */
export const emptyIsAbsent = ({ value }: TransformFnParams): unknown =>
  value === '' || value === null ? undefined : value;

/** The same in an update, which refuses null. */
export const emptyTextIsAbsent = ({ value }: TransformFnParams): unknown =>
  value === '' ? undefined : value;

/** The same for fields of which null is a value. */
export const emptyIsNull = ({ value }: TransformFnParams): unknown => (value === '' ? null : value);

/** `webhook_url` → `webhook url`. */
export const fieldInWords = (field: string): string => field.replaceAll('_', ' ');

export const requiredMessage = (field: string): string => `The ${fieldInWords(field)} field is required.`;
export const selectedInvalidMessage = (field: string): string =>
  `The selected ${fieldInWords(field)} is invalid.`;
export const fieldMessage = (field: string, rule: string): string =>
  `The ${fieldInWords(field)} field ${rule}.`;

/** A class-validator message `The <field in words> field <rule>.` */
export const fieldRuleMessage =
  (rule: string) =>
  (args: ValidationArguments): string =>
    fieldMessage(args.property, rule);

export const selectedInvalidRuleMessage = (args: ValidationArguments): string =>
  selectedInvalidMessage(args.property);

const saysRequired = (args: ValidationArguments) => requiredMessage(args.property);

/**
 * Which values are looked at: absent ones only where they are required and none of the other names of the field is
 * given, null not where it is a value.
 */
export function Presence(
  required: boolean,
  nullable: boolean,
  otherNames: readonly string[],
): PropertyDecorator[] {
  if (required && !nullable && otherNames.length === 0) return [];
  const maybeAbsent = (object: Record<string, unknown>): boolean =>
    !required || otherNames.some((name) => object[name] !== undefined && object[name] !== null);
  return [
    ValidateIf(
      (object: Record<string, unknown>, value) =>
        !(value === undefined && maybeAbsent(object)) && !(value === null && nullable),
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
      validate: (value) =>
        value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === ''),
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

export const HasMaxUnits = (max: number) =>
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

export const IsUrlOf = () =>
  ValidateBy({
    name: 'isUrlOf',
    validator: {
      validate: (value) => typeof value === 'string' && checkUrl(value) === null,
      defaultMessage: (args) => fieldRuleMessage('must be a valid URL')(args as ValidationArguments),
    },
  });
