import { describe, expect, it } from '@jest/globals';
import { planRetention, type AssistantRule, type RetentionKind } from './retention-plan.js';
import type { AccountRetention } from './retention-fields.js';

const NOW = new Date('2026-03-31T00:00:00Z');
const NONE: AssistantRule[] = [
  { assistantId: 1, retention: null },
  { assistantId: 2, retention: null },
];

/** The days of a kind, by assistant; `account` for what belongs to it. */
function daysOf(kind: RetentionKind, account: AccountRetention, assistants = NONE): Record<string, number> {
  const steps = planRetention(7, account, assistants, NOW).filter((step) => step.kind === kind);
  return Object.fromEntries(
    steps.flatMap(({ scope }) => {
      const days = (NOW.getTime() - scope.before.getTime()) / 86_400_000;
      return (scope.assistantIds.length > 0 ? scope.assistantIds : ['account']).map((id) => [id, days]);
    }),
  );
}

describe('the plan of a pass', () => {
  it('is empty without a rule', () => {
    expect(planRetention(7, {}, NONE, NOW)).toEqual([]);
    expect(planRetention(7, { recordings_days: null, mask_numbers: true }, NONE, NOW)).toEqual([]);
  });

  it('has one step for all assistants with the same days', () => {
    const steps = planRetention(7, { recordings_days: 30 }, NONE, NOW);
    expect(steps).toEqual([
      {
        kind: 'recordings',
        scope: { accountId: 7, assistantIds: [1, 2], before: new Date('2026-03-01T00:00:00Z') },
      },
    ]);
  });

  it('takes the smaller number of the account and the assistant', () => {
    const assistants = [
      { assistantId: 1, retention: { transcripts_days: 10 } },
      { assistantId: 2, retention: { transcripts_days: 100 } },
    ];
    expect(daysOf('transcripts', { transcripts_days: 30 }, assistants)).toEqual({ 1: 10, 2: 30 });
    expect(daysOf('transcripts', {}, assistants)).toEqual({ 1: 10, 2: 100 });
  });

  it('masks numbers where the account or the assistant wants it, with the transcript', () => {
    const assistants = [
      { assistantId: 1, retention: { mask_numbers: true } },
      { assistantId: 2, retention: null },
    ];
    expect(daysOf('numbers', { transcripts_days: 30 }, assistants)).toEqual({ 1: 30 });
    expect(daysOf('numbers', { transcripts_days: 30, mask_numbers: true }, assistants)).toEqual({
      1: 30,
      2: 30,
    });
    expect(daysOf('numbers', { mask_numbers: true }, assistants)).toEqual({});
  });

  it('keeps deliveries no longer than what they contain', () => {
    expect(daysOf('deliveries', { recordings_days: 1 })).toEqual({});
    expect(daysOf('deliveries', { deliveries_days: 9, transcripts_days: 5 })).toEqual({ 1: 5, 2: 5 });
    expect(daysOf('deliveries', { variables_days: 4 })).toEqual({ 1: 4, 2: 4 });
    expect(daysOf('deliveries', { conversations_days: 3 })).toEqual({ 1: 3, 2: 3 });
  });

  it('keeps questions no longer than what they were asked in', () => {
    const assistants = [
      { assistantId: 1, retention: { transcripts_days: 2 } },
      { assistantId: 2, retention: null },
    ];
    const account = { transcripts_days: 5, conversations_days: 3 };
    expect(daysOf('questions', account, assistants)).toEqual({ 1: 2, 2: 3 });
  });

  it('has one step of the account for SMS and statistics', () => {
    const account = { sms_days: 2, transcripts_days: 5, conversations_days: 3, variables_days: 8 };
    expect(daysOf('sms', account)).toEqual({ account: 2 });
    expect(daysOf('statistics', account)).toEqual({ account: 8 });
    const narrower = [{ assistantId: 1, retention: { variables_days: 1 } }];
    expect(daysOf('statistics', {}, narrower)).toEqual({ account: 1 });
  });
});
