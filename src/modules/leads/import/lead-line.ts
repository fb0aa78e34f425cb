import { isUnstorable } from '#src/common/http/json-body.js';
import { toE164 } from '#src/common/phone/phone.js';
import { fieldMessage } from '#src/common/validation/field-messages.js';
import { MAX_PHONE_LENGTH } from '#src/common/validation/fields.js';
import { freeObjectProblem } from '#src/common/validation/object-fields.js';
import type { NewLead } from '../lead.types.js';
import { IMPOSSIBLE_NUMBER, REPEATED_NUMBER } from '../leads.errors.js';
import type { LeadColumns } from './lead-columns.js';

export interface LineProblem {
  field: string;
  message: string;
}

export interface LineRules {
  columns: LeadColumns;
  /** Where a national number is read. */
  country: string;
  allowDuplicates: boolean;
}

/** The lead of one line, or the first thing that is wrong with it. */
export function readLeadLine(
  values: string[],
  { columns, country, allowDuplicates }: LineRules,
): NewLead | LineProblem {
  if (values.slice(columns.count).some((value) => value !== '')) {
    return problem('file', 'has more values in this line than columns');
  }
  // A quote that was not closed has swallowed the lines up to the next one.
  if (values.some((value) => /^"[^]*[\r\n]/.test(value)))
    return problem('file', 'has a quote in the wrong place');
  const at = (index: number): string => values[index] ?? '';
  const written = at(columns.phoneNumber);
  const number = readNumber(written, country);
  if (number === null) return problem('phone_number', written === '' ? 'is required' : IMPOSSIBLE_NUMBER);
  const lead: NewLead = { phone_number: number, variables: {}, contacts: [] };
  const seen = new Set([number]);
  for (const { name, index } of columns.contacts) {
    if (at(index) === '') continue;
    const contact = readNumber(at(index), country);
    if (contact === null) return problem(name, IMPOSSIBLE_NUMBER);
    if (seen.has(contact) && !allowDuplicates) return problem(name, REPEATED_NUMBER);
    seen.add(contact);
    lead.contacts.push({ phone_number: contact, variables: {} });
  }
  for (const { name, index } of columns.variables) {
    // U+FFFD stands where bytes were no UTF-8: better refused than a name stored in pieces.
    if (isUnstorable(at(index)) || at(index).includes('\uFFFD'))
      return problem(name, 'contains invalid characters');
  }
  lead.variables = Object.fromEntries(columns.variables.map(({ name, index }) => [name, at(index)]));
  const unfit = freeObjectProblem(lead.variables);
  return unfit === null ? lead : problem('variables', unfit);
}

const readNumber = (written: string, country: string): string | null =>
  written.length > MAX_PHONE_LENGTH ? null : toE164(written, country);

const problem = (field: string, rule: string): LineProblem => ({ field, message: fieldMessage(field, rule) });
