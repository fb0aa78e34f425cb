import { describe, expect, it } from '@jest/globals';
import { impliedTransitions, CALL_STATUSES, isAllowedTransition, type CallStatus } from './call-states.js';

/** Applies reports as the service does: each step only where the table allows it. */
function play(
  reports: Parameters<typeof impliedTransitions>[1][],
  endedBy: 'assistant' | 'customer' | 'system' | null = null,
) {
  let status: CallStatus = 'initiated';
  for (const report of reports) {
    for (const step of impliedTransitions({ status, endedBy }, report))
      if (isAllowedTransition(status, step)) status = step;
  }
  return status;
}

describe('call states', () => {
  it('follows the reports of the carrier', () => {
    expect(play(['queued', 'ringing', 'in-progress'])).toBe('in-progress');
    expect(play(['ringing', 'busy'])).toBe('busy');
    expect(play(['ringing', 'no-answer'])).toBe('no-answer');
    expect(play(['failed'])).toBe('failed');
    expect(play(['ringing', 'canceled'])).toBe('no-answer');
  });

  it('keeps who ended the call', () => {
    expect(play(['in-progress', 'completed'])).toBe('ended_by_customer');
    expect(play(['in-progress', 'completed'], 'assistant')).toBe('ended_by_assistant');
    expect(play(['in-progress', 'completed'], 'system')).toBe('ended');
  });

  it('adds the states of a lost report', () => {
    expect(play(['ringing', 'completed'])).toBe('ended_by_customer');
    expect(play(['completed'])).toBe('ended_by_customer');
  });

  it('ignores late reports', () => {
    expect(play(['in-progress', 'ringing', 'queued'])).toBe('in-progress');
    expect(play(['in-progress', 'completed', 'in-progress', 'busy', 'no-answer'])).toBe('ended_by_customer');
    expect(play(['busy', 'in-progress', 'completed'])).toBe('busy');
    expect(play(['in-progress', 'failed'])).toBe('ended_by_customer');
  });

  it('reaches a final state from every state', () => {
    const ends = CALL_STATUSES.filter((from) => !CALL_STATUSES.some((to) => isAllowedTransition(from, to)));
    expect(ends).toEqual(['busy', 'completed', 'no-answer', 'failed']);
  });
});
