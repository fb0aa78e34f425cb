import { describe, expect, it } from '@jest/globals';
import { callDuration } from './states/call-states.js';

const answeredAt = new Date('2026-01-31T10:00:00.000Z');
const after = (seconds: number): Date => new Date(answeredAt.getTime() + seconds * 1000);

describe('callDuration', () => {
  it.each([
    ['what the carrier reports', 95, 100, 95],
    ['at most what has passed since the answer', 86_400, 99.2, 100],
    ['at most the limit and 30 seconds', 900, 1_000, 630],
    ['what has passed, where nothing is reported', undefined, 61.5, 62],
    ['nothing before the answer', 10, -5, 0],
  ])('is %s', (_, reported, passed, expected) => {
    expect(callDuration({ answeredAt, maxDuration: 600 }, after(passed), reported)).toBe(expected);
  });

  it('is 0 for an unanswered call', () => {
    expect(callDuration({ answeredAt: null, maxDuration: 600 }, after(60), 60)).toBe(0);
  });
});
