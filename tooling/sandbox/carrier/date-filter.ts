import { first, type Form } from './form.js';
import { RestError } from './rest-error.js';

/**
 * `StartTime>=…`, `StartTime<=…` and `StartTime=…` of a list request. Form decoding leaves the comparison
 * sign at the end of the field's name. A plain day means that whole day in UTC.
 */
export function dateFilter(query: Form, field: string): (date: Date) => boolean {
  const after = instant(first(query, `${field}>`));
  const before = instant(first(query, `${field}<`));
  const on = first(query, field);
  const from = instant(on);
  const dayMs = 24 * 60 * 60 * 1000;
  return (date) => {
    const time = date.getTime();
    if (after !== null && time < after) return false;
    if (before !== null && time > before) return false;
    return from === null || (time >= from && time < from + dayMs);
  };
}

function instant(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new RestError(20001);
  return time;
}
