import { ValidateBy, type ValidationArguments } from 'class-validator';
import { isDay } from './day-field.js';
import { fieldMessage } from './field-messages.js';
import { field, type FieldOptions } from './fields.js';

const FORM =
  /^(?<day>[\d-]{10})(?:[ T](?<time>\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?<zone>Z|[+-]\d\d:\d\d)?)?$/;

/** Without the names of its groups, which not every language knows. */
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
  return field(
    { example: '2026-01-31 09:30:00', ...options },
    { type: 'string', maxLength: MAX_TIMESTAMP_LENGTH, pattern: PATTERN },
    [rule],
  );
}
