import { DAY_MS } from '#src/common/time/durations.js';
import type { AccountRetention, AssistantRetention } from './retention-fields.js';

/**
 * What is removed. `numbers`: all but the last digits of customers' numbers; `statistics`: texts of removed evaluations
 * in sums; `questions`: questions of conversations that no document answered.
 */
export const RETENTION_KINDS = [
  'recordings',
  'transcripts',
  'numbers',
  'variables',
  'statistics',
  'conversations',
  'questions',
  'sms',
  'deliveries',
] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Whose contents are old. */
export interface RetentionScope {
  accountId: number;
  /** Empty for `statistics` and `sms`, which belong to the account. */
  assistantIds: number[];
  /** What ended before is removed. */
  before: Date;
}

export interface RetentionStep {
  kind: RetentionKind;
  scope: RetentionScope;
}

export interface AssistantRule {
  assistantId: number;
  retention: AssistantRetention | null;
}

type Days = number | null | undefined;
type Rule = (retention: AssistantRetention) => Days[];

/** What is kept no longer than what. A delivery contains the others. */
const OF_ASSISTANTS = {
  recordings: (r) => [r.recordings_days],
  transcripts: (r) => [r.transcripts_days],
  variables: (r) => [r.variables_days],
  conversations: (r) => [r.conversations_days],
  questions: (r) => [r.transcripts_days, r.conversations_days],
  deliveries: (r) => [r.deliveries_days, r.transcripts_days, r.variables_days, r.conversations_days],
} satisfies Partial<Record<RetentionKind, Rule>>;

/**
 * What is to be done for an account now, in this order. Of the rules of the account and of an assistant the smaller
 * number counts.
 */
export function planRetention(
  accountId: number,
  account: AccountRetention,
  assistants: readonly AssistantRule[],
  now: Date,
): RetentionStep[] {
  const before = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
  const ofAssistants = (
    kind: RetentionKind,
    daysOf: (own: AssistantRetention) => number | null,
  ): RetentionStep[] => {
    const groups = new Map<number, number[]>();
    for (const { assistantId, retention } of assistants) {
      const days = daysOf(retention ?? {});
      if (days !== null) groups.set(days, [...(groups.get(days) ?? []), assistantId]);
    }
    return [...groups].map(([days, assistantIds]) => ({
      kind,
      scope: { accountId, assistantIds, before: before(days) },
    }));
  };
  const ofAccount = (kind: RetentionKind, days: number | null): RetentionStep[] =>
    days === null ? [] : [{ kind, scope: { accountId, assistantIds: [], before: before(days) } }];
  const smallest = (rule: Rule, own: AssistantRetention): number | null =>
    shortest([...rule(account), ...rule(own)]);
  const masks = (own: AssistantRetention): boolean =>
    account.mask_numbers === true || own.mask_numbers === true;
  const { recordings, transcripts, variables, conversations, questions, deliveries } = OF_ASSISTANTS;
  const evaluated = shortest(
    [account, ...assistants.map(({ retention }) => retention ?? {})].flatMap(variables),
  );
  return [
    ...ofAssistants('recordings', (own) => smallest(recordings, own)),
    ...ofAssistants('transcripts', (own) => smallest(transcripts, own)),
    ...ofAssistants('numbers', (own) => (masks(own) ? smallest(transcripts, own) : null)),
    ...ofAssistants('variables', (own) => smallest(variables, own)),
    ...ofAssistants('conversations', (own) => smallest(conversations, own)),
    ...ofAssistants('questions', (own) => smallest(questions, own)),
    ...ofAccount('sms', account.sms_days ?? null),
    ...ofAssistants('deliveries', (own) => smallest(deliveries, own)),
    ...ofAccount('statistics', evaluated),
  ];
}

function shortest(days: readonly Days[]): number | null {
  const given = days.filter((one) => typeof one === 'number');
  return given.length === 0 ? null : Math.min(...given);
}
