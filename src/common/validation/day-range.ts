import { Invalid } from '../errors/api-error.js';
import { DAY_MS } from '../time/durations.js';
import { canonicalZone } from '../time/time.js';
import { fieldMessage } from './field-rules.js';

/** Of the query fields `from` and `to`, both days included. @throws Invalid */
export function checkDayRange({ from, to }: { from: string; to: string }, maxDays: number): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw new Invalid({ to: [fieldMessage('to', 'must be a date after or equal to from')] });
  if (days > maxDays)
    throw new Invalid({ to: [fieldMessage('to', `must be within ${maxDays} days of from`)] });
}

/** Of the query field `timezone`. */
export const timeZoneOfQuery = ({ timezone = 'UTC' }: { timezone?: string }): string =>
  canonicalZone(timezone) ?? 'UTC';
