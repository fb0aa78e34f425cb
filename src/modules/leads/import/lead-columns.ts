import { invalidFile, lineProblem as problem, type LineProblem } from '#src/common/csv/import-report.js';
import { MAX_COLUMNS } from '#src/common/csv/csv-scanner.js';
import { readColumnNames } from '#src/common/csv/column-names.js';
import {
  DAMAGED_TEXT_RULE,
  hasUnclosedQuote,
  isDamagedText,
  UNCLOSED_QUOTE_RULE,
} from '#src/common/csv/csv-values.js';
import { readNumber } from '#src/common/phone/phone.js';
import { NUMBER_RULES } from '#src/common/phone/written-number.js';
import { hasUnknownZone } from '../zone-key.js';
import { freeObjectProblem } from '#src/common/validation/object-fields.js';
import type { NewLead } from '../lead.types.js';
import { REPEATED_NUMBER } from '../leads.errors.js';

/** The meaning of a file's columns, by their index. */
export interface LeadColumns {
  count: number;
  phoneNumber: number;
  /** In the order of their numbers. */
  contacts: { name: string; index: number }[];
  variables: { name: string; index: number }[];
}

const CONTACT = /^secondary_phone_([1-9]\d{0,2})$/;

/**
 * Reads a header: `phone_number`, `secondary_phone_1`…, every other column a variable of its name, `timezone` also
 * under its other names. The known names are taken as people write them (`Phone Number`); a column without a name is
 * left out.
 * @throws Invalid on `file`
 */
export function parseLeadColumns(header: string[]): LeadColumns {
  if (header.length > MAX_COLUMNS) throw invalidFile(`must not have more than ${MAX_COLUMNS} columns`);
  const known = readColumnNames(header, (name) => CONTACT.test(name));
  const columns = header
    .map((name, index) => ({ name, index, known: known[index] ?? null }))
    .filter(({ name }) => name !== '');
  const names = columns.map((column) => column.known ?? column.name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw invalidFile(`must not have two columns named ${repeated}`);
  // `__proto__` would set the object's prototype.
  if (names.includes('__proto__')) throw invalidFile('must not have a column named __proto__');
  const phoneNumber = columns.find((column) => column.known === 'phone_number');
  if (!phoneNumber) throw invalidFile('must have a column named phone_number');
  return {
    count: header.length,
    phoneNumber: phoneNumber.index,
    contacts: columns
      .flatMap((column) => (isContact(column.known) ? [{ name: column.known, index: column.index }] : []))
      .sort(compareContactNumbers),
    variables: columns
      .filter((column) => column !== phoneNumber && !isContact(column.known))
      .map((column) => ({ name: column.known ?? column.name, index: column.index })),
  };
}

const isContact = (known: string | null): known is string => known !== null && CONTACT.test(known);

const compareContactNumbers = (a: { name: string }, b: { name: string }): number =>
  contactNumberOf(a.name) - contactNumberOf(b.name);
const contactNumberOf = (name: string): number => Number(CONTACT.exec(name)?.[1]);

export interface LeadLineRules {
  columns: LeadColumns;
  /** ISO 3166-1 alpha-2: where national numbers are read. */
  country: string;
  allowDuplicates: boolean;
}

/** The lead of one line, or the line's first error. */
export function parseLeadLine(
  values: string[],
  { columns, country, allowDuplicates }: LeadLineRules,
): NewLead | LineProblem {
  if (values.slice(columns.count).some((value) => value !== '')) {
    return problem('file', 'has more values in this line than columns');
  }
  if (hasUnclosedQuote(values)) return problem('file', UNCLOSED_QUOTE_RULE);
  const at = (index: number): string => values[index] ?? '';
  const written = at(columns.phoneNumber);
  if (written === '') return problem('phone_number', 'is required');
  const read = readNumber(written, country);
  if ('fault' in read) return problem('phone_number', NUMBER_RULES[read.fault]);
  const { number } = read;
  const lead: NewLead = { phone_number: number, variables: {}, contacts: [] };
  const seen = new Set([number]);
  for (const { name, index } of columns.contacts) {
    if (at(index) === '') continue;
    const contact = readNumber(at(index), country);
    if ('fault' in contact) return problem(name, NUMBER_RULES[contact.fault]);
    if (seen.has(contact.number) && !allowDuplicates) return problem(name, REPEATED_NUMBER);
    seen.add(contact.number);
    lead.contacts.push({ phone_number: contact.number, variables: {} });
  }
  for (const { name, index } of columns.variables) {
    if (isDamagedText(at(index))) return problem(name, DAMAGED_TEXT_RULE);
  }
  lead.variables = Object.fromEntries(columns.variables.map(({ name, index }) => [name, at(index)]));
  const unfit = freeObjectProblem(lead.variables);
  return unfit === null ? lead : problem('variables', unfit);
}

/** The remark about a stored lead that cannot be called; null: none. */
export const toZoneRemark = ({ variables }: NewLead): LineProblem | null =>
  hasUnknownZone(variables)
    ? problem('timezone', 'names no time zone: the lead is stored, but not called')
    : null;
