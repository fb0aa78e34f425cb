import { describe, expect, it } from '@jest/globals';
import { decideRetry, pauseAfterRefusal, type DialOutcome, type RetryRules } from './retry-policy.js';

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
  neverAttempted: false,
};
const rang: DialOutcome = { ...talked, status: 'no-answer', answeredBy: 'unknown' };
const once = { attempts: [{ id: 1, attempts: 1 }], dialledId: 1 };
const HOUR = 3_600_000;

describe('decideRetry', () => {
  it('completes a lead that was reached', () => {
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

  it('pauses before the same number is dialled again, and gives up after the last attempt', () => {
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

  it('does not pause after an attempt that was never placed', () => {
    const lost: DialOutcome = { ...rang, status: 'failed', neverAttempted: true };
    expect(decideRetry(lost, rules, once)).toEqual({ status: 'rescheduled', inMs: 0 });
  });

  it('does not dial an impossible number again', () => {
    expect(decideRetry({ ...rang, status: 'failed', numberInvalid: true }, rules, once)).toEqual({
      status: 'reached-max-retries',
    });
  });
});

describe('pauseAfterRefusal', () => {
  const START = new Date('2026-01-31T09:00:00Z');
  const later = (seconds: number): Date => new Date(START.getTime() + seconds * 1000);
  const NO_PAUSE = { carrierRefusals: 0, dialAfter: null };

  it('doubles from 5 to 60 s with each refusal after the last pause', () => {
    let pause = pauseAfterRefusal(NO_PAUSE, START, null);
    const seconds: number[] = [];
    for (let now = START; seconds.length < 6; pause = pauseAfterRefusal(pause, now, null)) {
      const until = pause.dialAfter ?? now;
      seconds.push((until.getTime() - now.getTime()) / 1000);
      now = until;
    }
    expect(seconds).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('counts refusals that arrive during a pause as one', () => {
    const first = pauseAfterRefusal(NO_PAUSE, START, null);
    expect(pauseAfterRefusal(first, later(1), null)).toEqual(first);
  });

  it('waits as long as the carrier asks for, at most 60 s and never less than the back-off', () => {
    const until = (retryAfterMs: number) => pauseAfterRefusal(NO_PAUSE, START, retryAfterMs).dialAfter;
    expect([until(1_000), until(20_000), until(3_600_000)]).toEqual([later(5), later(20), later(60)]);
    const paused = pauseAfterRefusal(NO_PAUSE, START, null);
    expect(pauseAfterRefusal(paused, later(1), 20_000)).toEqual({ carrierRefusals: 1, dialAfter: later(21) });
  });
});
