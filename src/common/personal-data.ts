import { withFormerForms } from './phone/former-forms.js';
import { E164 } from './phone/phone.js';

/** Whose data is erased or exported. */
export interface Person {
  accountId: number;
  /** E.164 */
  phoneNumber: string;
  /** Of its `dialledForms`, as `NumberHashesService` makes them. */
  numberHashes: readonly string[];
}

type WithNumber = Pick<Person, 'phoneNumber'>;

/** What a job counts, by the names that its answer has. */
export const PERSONAL_DATA_KINDS = [
  'leads',
  'calls',
  'turns',
  'tool_runs',
  'recordings',
  'live_events',
  'deliveries',
  'conversations',
  'conversation_messages',
  'messages',
  'questions',
  'stored_answers',
  'event_errors',
  'suppressions',
] as const;
export type PersonalDataKind = (typeof PERSONAL_DATA_KINDS)[number];

/** Rows by kind. Kinds without any may be absent. */
export type PersonalDataCounts = Partial<Record<PersonalDataKind, number>>;

/** Rows that one transaction erases, and one statement of an export reads. */
export const PERSONAL_DATA_BATCH = 20;

/** The number as calls and messages have it. */
export const dialledForms = ({ phoneNumber }: WithNumber): string[] => withFormerForms(phoneNumber);

/** A regular expression of PostgreSQL: the number stands in a text, with or without its +, and not in a longer one. */
export const numberPattern = (person: Person): string => {
  const digits = dialledForms(person).map((form) => form.slice(1));
  return `(^|[^0-9])(${digits.join('|')})([^0-9]|$)`;
};

/** How clients write a number where it is a name of theirs for a customer. */
export const numberForms = ({ phoneNumber }: WithNumber): string[] => [
  phoneNumber,
  phoneNumber.slice(1),
  `whatsapp:${phoneNumber}`,
  `tel:${phoneNumber}`,
];

/** The number in E.164 of which a text is one of the `numberForms`; null: of none. */
export function numberOfForm(text: string): string | null {
  const phoneNumber = text.replace(/^(whatsapp:|tel:)?\+?/, '+');
  return E164.test(phoneNumber) && numberForms({ phoneNumber }).includes(text) ? phoneNumber : null;
}
