import type { Schemas } from '#console/api/client';

export type Retention = Schemas['RetentionResponse'];
export type AssistantRetention = NonNullable<Schemas['AssistantResponse']['retention']>;
/** Of an account or an assistant: SMS belong to no assistant. */
export type Rules = AssistantRetention & Partial<Pick<Retention, 'sms_days'>>;

export const ASSISTANT_FIELDS = [
  'recordings_days',
  'transcripts_days',
  'variables_days',
  'conversations_days',
  'deliveries_days',
] as const;
export const ACCOUNT_FIELDS = [...ASSISTANT_FIELDS.slice(0, 4), 'sms_days', 'deliveries_days'] as const;
export type DayField = (typeof ACCOUNT_FIELDS)[number];

type Days = number | null | undefined;

/** What is kept no longer than what, as the service removes it: a delivery contains the others. */
const DAYS_OF = {
  recordings: (r) => [r.recordings_days],
  transcripts: (r) => [r.transcripts_days],
  variables: (r) => [r.variables_days],
  numbers: (r) => (r.mask_numbers ? [r.transcripts_days] : []),
  conversations: (r) => [r.conversations_days],
  questions: (r) => [r.transcripts_days, r.conversations_days],
  sms: (r) => [r.sms_days],
  deliveries: (r) => [r.deliveries_days, r.transcripts_days, r.variables_days, r.conversations_days],
} satisfies Record<string, (rules: Rules) => Days[]>;

export type RemovalKind = keyof typeof DAYS_OF;

/** What is older than so many days is removed. */
export interface Removal {
  kind: RemovalKind;
  days: number;
}

/** What the next rules remove and the stored ones do not. */
export function removalsOf(stored: Rules, next: Rules): Removal[] {
  return (Object.keys(DAYS_OF) as RemovalKind[]).flatMap((kind) => {
    const [before, after] = [shortest(DAYS_OF[kind](stored)), shortest(DAYS_OF[kind](next))];
    const isShorter = after !== null && (before === null || after < before);
    return isShorter ? [{ kind, days: after }] : [];
  });
}

/** What counts for an assistant: of its rules and those of the account the shorter ones. */
export function rulesFor(account: Rules, own: AssistantRetention | null): Rules {
  if (own === null) return account;
  const days = ASSISTANT_FIELDS.map((field) => [field, shortest([account[field], own[field]])]);
  return { ...account, ...Object.fromEntries(days), mask_numbers: account.mask_numbers || own.mask_numbers };
}

/** The fields of an assistant's rules that keep less than the account's. */
export const narrowerFields = (
  account: Rules,
  own: AssistantRetention,
): (typeof ASSISTANT_FIELDS)[number][] =>
  ASSISTANT_FIELDS.filter((field) => {
    const [days, most] = [own[field], account[field]];
    return days !== null && (most === null || days < most);
  });

function shortest(days: readonly Days[]): number | null {
  const given = days.filter((one) => typeof one === 'number');
  return given.length === 0 ? null : Math.min(...given);
}
