import { ValidateBy, type ValidationArguments } from 'class-validator';
import { isTimeZone } from '../time/zones.js';
import { fieldMessage } from './field-messages.js';
import { field, type FieldOptions } from './fields.js';

/** Twice the longest name of the database. */
const MAX_TIMEZONE_LENGTH = 64;

/** An identifier of the IANA time zone database, e.g. `Europe/Berlin`. */
export function TimezoneField(options: FieldOptions = {}): PropertyDecorator {
  const rule = ValidateBy({
    name: 'isTimezone',
    validator: {
      validate: (value) => typeof value === 'string' && value.length <= MAX_TIMEZONE_LENGTH && isTimeZone(value),
      defaultMessage: (args) =>
        fieldMessage((args as ValidationArguments).property, 'must be a valid timezone'),
    },
  });
  return field(
    { example: 'Europe/Berlin', ...options },
    { type: 'string', format: 'timezone', maxLength: MAX_TIMEZONE_LENGTH },
    [rule],
    true,
  );
}
