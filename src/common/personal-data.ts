/** Whose data is erased or exported. */
export interface Person {
  accountId: number;
  /** E.164 */
  phoneNumber: string;
}

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

/** A regular expression of PostgreSQL: the number stands in a text, with or without its +, and not in a longer one. */
export const numberPattern = ({ phoneNumber }: Person): string =>
  `(^|[^0-9])${phoneNumber.slice(1)}([^0-9]|$)`;

/** How clients write a number where it is a name of theirs for a customer. */
export const numberForms = ({ phoneNumber }: Person): string[] => [
  phoneNumber,
  phoneNumber.slice(1),
  `whatsapp:${phoneNumber}`,
  `tel:${phoneNumber}`,
];
