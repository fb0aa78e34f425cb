import { Invalid } from '#src/common/errors/api-error.js';
import { fieldMessage } from '#src/common/validation/field-messages.js';

/** What the columns of a file are, by their index. */
export interface LeadColumns {
  count: number;
  phoneNumber: number;
  /** In the order of their numbers. */
  contacts: { name: string; index: number }[];
  variables: { name: string; index: number }[];
}

const MAX_COLUMNS = 200;
const CONTACT = /^secondary_phone_([1-9]\d{0,2})$/;

/**
 * Reads a header: `phone_number`, `secondary_phone_1`…, every other column a variable of its name. The known
 * names are taken as people write them (`Phone Number`); a column without a name is left out.
 * @throws Invalid on `file`
 */
export function readLeadColumns(header: string[]): LeadColumns {
  if (header.length > MAX_COLUMNS) throw invalidFile(`must not have more than ${MAX_COLUMNS} columns`);
  const columns = header
    .map((name, index) => ({ name, index, known: knownName(name) }))
    .filter(({ name }) => name !== '');
  const names = columns.map(({ name, known }) => known ?? name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw invalidFile(`must not have two columns named ${repeated}`);
  // An object's own prototype cannot be told from a value of this name.
  if (names.includes('__proto__')) throw invalidFile('must not have a column named __proto__');
  const phoneNumber = columns.find(({ known }) => known === 'phone_number');
  if (!phoneNumber) throw invalidFile('must have a column named phone_number');
  return {
    count: header.length,
    phoneNumber: phoneNumber.index,
    contacts: columns
      .flatMap(({ known, index }) => (known && CONTACT.test(known) ? [{ name: known, index }] : []))
      .sort(byNumber),
    variables: columns.filter(({ known }) => known === null).map(({ name, index }) => ({ name, index })),
  };
}

function knownName(written: string): string | null {
  const name = written.toLowerCase().replace(/[\s-]+/g, '_');
  return name === 'phone_number' || CONTACT.test(name) ? name : null;
}

const byNumber = (a: { name: string }, b: { name: string }): number => numberOf(a.name) - numberOf(b.name);
const numberOf = (name: string): number => Number(CONTACT.exec(name)?.[1]);

export const invalidFile = (rule: string): Invalid => new Invalid({ file: [fieldMessage('file', rule)] });
