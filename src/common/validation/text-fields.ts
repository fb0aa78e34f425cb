import {
  ValidateBy,
  type ValidationArguments,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsString,
  MaxLength,
} from 'class-validator';
import { createField, type FieldOptions } from './fields.js';
import { fieldMessage, fieldRuleMessage, selectedInvalidRuleMessage } from './field-rules.js';
import { isAddressRange, MAX_RANGE_LENGTH } from '../address-ranges.js';
import { isTimeZone } from '../time/time.js';

/** A day that exists, `YYYY-MM-DD`, year 1900–2999. */
function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^(19|2\d)\d\d-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

export function DayField(options: FieldOptions = {}): PropertyDecorator {
  const rule = ValidateBy({
    name: 'isDay',
    validator: {
      validate: isDay,
      defaultMessage: (args) =>
        fieldMessage((args as ValidationArguments).property, 'must be a valid date in the format YYYY-MM-DD'),
    },
  });
  return createField({ example: '2026-01-31', ...options }, { type: 'string', format: 'date' }, [rule]);
}

const FORM =
  /^(?<day>[\d-]{10})(?:[ T](?<time>\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?<zone>Z|[+-]\d\d:\d\d)?)?$/;

/** Without named groups, which not every language supports. */
const PATTERN = FORM.source.replace(/\?<\w+>/g, '');
/** Nine decimals and an offset. */
const MAX_TIMESTAMP_LENGTH = 35;

/** `YYYY-MM-DD`, optionally with a time and an offset; without an offset it is UTC. Null: no such moment. */
export function readTimestamp(value: unknown): Date | null {
  const { day, time = '00:00', zone = 'Z' } = (typeof value === 'string' && FORM.exec(value)?.groups) || {};
  if (!isDay(day)) return null;
  const moment = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** A moment as text; the DTO keeps the text, `readTimestamp` reads it. */
export function TimestampField(options: FieldOptions = {}): PropertyDecorator {
  const rule = ValidateBy({
    name: 'isTimestamp',
    validator: {
      validate: (value) => readTimestamp(value) !== null,
      defaultMessage: (args) => fieldMessage((args as ValidationArguments).property, 'must be a valid date'),
    },
  });
  return createField(
    { example: '2026-01-31 09:30:00', ...options },
    { type: 'string', maxLength: MAX_TIMESTAMP_LENGTH, pattern: PATTERN },
    [rule],
  );
}

/** Twice the longest name of the database. */
const MAX_TIMEZONE_LENGTH = 64;

/** An identifier of the IANA time zone database, e.g. `Europe/Berlin`. */
export function TimezoneField(options: FieldOptions = {}): PropertyDecorator {
  const rule = ValidateBy({
    name: 'isTimezone',
    validator: {
      validate: (value) =>
        typeof value === 'string' && value.length <= MAX_TIMEZONE_LENGTH && isTimeZone(value),
      defaultMessage: (args) =>
        fieldMessage((args as ValidationArguments).property, 'must be a valid timezone'),
    },
  });
  return createField(
    { example: 'Europe/Berlin', ...options },
    { type: 'string', format: 'timezone', maxLength: MAX_TIMEZONE_LENGTH },
    [rule],
    true,
  );
}

/** A list of up to `max` texts of up to `maxLength` characters each. */
export function TextListField({
  max,
  maxLength,
  ...options
}: FieldOptions & { max: number; maxLength: number }) {
  const tooLong = `must not have items greater than ${maxLength} characters`;
  const rules = [
    IsArray({ message: fieldRuleMessage('must be an array') }),
    ArrayMaxSize(max, { message: fieldRuleMessage(`must not have more than ${max} items`) }),
    IsString({ each: true, message: fieldRuleMessage('must be a list of strings') }),
    MaxLength(maxLength, { each: true, message: fieldRuleMessage(tooLong) }),
  ];
  return createField(options, { type: 'array', items: { type: 'string', maxLength }, maxItems: max }, rules);
}

/** A list of up to `max` IPv4 and IPv6 addresses and CIDR ranges. */
export function AddressListField({ max, ...options }: FieldOptions & { max: number }) {
  const rules = [
    IsArray({ message: fieldRuleMessage('must be an array') }),
    ArrayMaxSize(max, { message: fieldRuleMessage(`must not have more than ${max} items`) }),
    ValidateBy(
      {
        name: 'isAddressRange',
        validator: { validate: (value) => typeof value === 'string' && isAddressRange(value) },
      },
      { each: true, message: fieldRuleMessage('must be a list of IP addresses and CIDR ranges') },
    ),
  ];
  const items = { type: 'string', maxLength: MAX_RANGE_LENGTH };
  return createField(options, { type: 'array', items, maxItems: max }, rules);
}

/** A list of at least one of the given texts, none of them twice. */
export function EnumListField(values: readonly string[], options: FieldOptions = {}) {
  const rules = [
    IsArray({ message: fieldRuleMessage('must be an array') }),
    ArrayMaxSize(values.length, {
      message: fieldRuleMessage(`must not have more than ${values.length} items`),
    }),
    ArrayMinSize(1, { message: fieldRuleMessage('must have at least 1 item') }),
    IsIn(values, { each: true, message: selectedInvalidRuleMessage }),
    ArrayUnique({ message: fieldRuleMessage('must not have duplicate values') }),
  ];
  const items = { type: 'string', enum: values };
  return createField(
    options,
    { type: 'array', items, minItems: 1, maxItems: values.length, uniqueItems: true },
    rules,
  );
}
