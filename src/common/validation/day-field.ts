import { ValidateBy, type ValidationArguments } from 'class-validator';
import { field, type FieldOptions } from './fields.js';
import { fieldMessage } from './field-messages.js';

/** A day that exists, `YYYY-MM-DD`, year 1900–2999. */
export function isDay(value: unknown): boolean {
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
  return field({ example: '2026-01-31', ...options }, { type: 'string', format: 'date' }, [rule]);
}
