import { describe, expect, it } from '@jest/globals';
import { decideRetry, toLeadOutcome, type DialOutcome, type RetryRules } from './retry-policy.js';

const rules: RetryRules = {
  maxRetries: 2,
  retryInterval: 60,
  retryOnVoicemail: false,
  retryOnGoalIncomplete: false,
  goalCompletionVariable: null,
};
const talked: DialOutcome = {
  status: 'completed',
  answeredBy: 'human',
  evaluation: {},
  numberInvalid: false,
};
const rang: DialOutcome = { ...talked, status: 'no-answer', answeredBy: 'unknown' };
const once = { attempts: [{ id: 1, attempts: 1 }], dialledId: 1 };
const HOUR = 3_600_000;

describe('decideRetry', () => {
  it('completes a reached lead', () => {
    expect(decideRetry(talked, rules, once)).toEqual({ status: 'completed' });
  });

  it('counts a machine as reached, unless voicemail is to be retried', () => {
    const machine: DialOutcome = { ...talked, answeredBy: 'machine' };
    expect(decideRetry(machine, rules, once)).toEqual({ status: 'completed' });
    expect(decideRetry(machine, { ...rules, retryOnVoicemail: true }, once)).toEqual({
      status: 'rescheduled',
      inMs: HOUR,
    });
  });

  it('retries a call that missed its goal', () => {
    const strict = { ...rules, retryOnGoalIncomplete: true, goalCompletionVariable: 'booked' };
    expect(decideRetry({ ...talked, evaluation: { booked: true } }, strict, once).status).toBe('completed');
    expect(decideRetry({ ...talked, evaluation: { booked: false } }, strict, once).status).toBe(
      'rescheduled',
    );
    expect(decideRetry({ ...talked, evaluation: { booked: null } }, strict, once).status).toBe('rescheduled');
    expect(decideRetry(talked, strict, once).status).toBe('rescheduled');
  });

  it('pauses before the same number is dialled again, and ends after the last attempt', () => {
    expect(decideRetry(rang, rules, once)).toEqual({ status: 'rescheduled', inMs: HOUR });
    const twice = { attempts: [{ id: 1, attempts: 2 }], dialledId: 1 };
    expect(decideRetry(rang, rules, twice)).toEqual({ status: 'reached-max-retries' });
  });

  it('continues with the next contact without a pause after the last attempt for the main number', () => {
    const withContact = {
      attempts: [
        { id: 1, attempts: 2 },
        { id: 2, attempts: 0 },
      ],
      dialledId: 1,
    };
    expect(decideRetry(rang, rules, withContact)).toEqual({ status: 'rescheduled', inMs: 0 });
  });

  it('does not dial an impossible number again', () => {
    expect(decideRetry({ ...rang, status: 'failed', numberInvalid: true }, rules, once)).toEqual({
      status: 'reached-max-retries',
    });
  });
});

describe('toLeadOutcome', () => {
  const strict = { ...rules, retryOnGoalIncomplete: true, goalCompletionVariable: 'booked' };
  it.each<[string, Partial<DialOutcome>, RetryRules]>([
    ['completed', {}, rules],
    ['completed', { answeredBy: 'unknown' }, rules],
    ['completed', { evaluation: { booked: true } }, strict],
    ['completed', { evaluation: null }, strict],
    ['goal_incomplete', { evaluation: { booked: false } }, strict],
    ['machine', { answeredBy: 'machine', evaluation: { booked: false } }, strict],
    ['busy', { status: 'busy' }, rules],
    ['failed', { status: 'failed' }, rules],
    ['invalid_number', { status: 'failed', numberInvalid: true }, rules],
  ])('%s: %j', (expected, fields, given) => {
    expect(toLeadOutcome({ ...talked, ...fields }, given)).toBe(expected);
  });
});

describe('what is retried', () => {
  it('a failed evaluation is not a missed goal', () => {
    const strict = { ...rules, retryOnGoalIncomplete: true, goalCompletionVariable: 'booked' };
    expect(decideRetry({ ...talked, evaluation: null }, strict, once)).toEqual({ status: 'completed' });
  });

  it('a number that changes during the call is called at once', () => {
    const renumbered = { attempts: [{ id: 1, attempts: 0 }], dialledId: null };
    expect(decideRetry({ ...rang, numberInvalid: true }, rules, renumbered)).toEqual({
      status: 'rescheduled',
      inMs: 0,
    });
  });
});
