import { describe, expect, it } from '@jest/globals';
import {
  addSessionBreak,
  toSessionBreaksQuery,
  NO_SESSION_BREAKS,
  parseSessionBreaks,
} from './session-breaks.js';

const NOW = 1_700_000_000_000;

describe('addSessionBreak', () => {
  it('allows three new sessions within a minute, and no fourth', () => {
    let breaks = NO_SESSION_BREAKS;
    const over: boolean[] = [];
    for (let second = 0; second < 4; second += 1) {
      const next = addSessionBreak(breaks, '64105', NOW + second * 1000);
      over.push(next.resumption.isOver);
      breaks = next.breaks;
    }
    expect(over).toEqual([false, false, false, true]);
  });

  it('ignores breaks after a minute', () => {
    const resumedAt = [NOW - 60_000, NOW - 59_999, NOW - 1];
    expect(addSessionBreak({ resumedAt, defaultVoice: false }, '64102', NOW)).toEqual({
      breaks: { resumedAt: [NOW - 59_999, NOW - 1, NOW], defaultVoice: false },
      resumption: { defaultVoice: false, isOver: false },
    });
  });

  it('tries the default voice once when the attributes are refused, and keeps it', () => {
    const first = addSessionBreak(NO_SESSION_BREAKS, '64101', NOW);
    expect(first.resumption).toEqual({ defaultVoice: true, isOver: false });
    expect(addSessionBreak(first.breaks, '64105', NOW).resumption).toEqual({
      defaultVoice: true,
      isOver: false,
    });
    expect(addSessionBreak(first.breaks, '64101', NOW).resumption.isOver).toBe(true);
  });
});

it('is unchanged after encoding in a URL', () => {
  const breaks = { resumedAt: [NOW, NOW + 1], defaultVoice: true };
  const query = Object.fromEntries(new URLSearchParams(toSessionBreaksQuery(breaks)));
  expect(parseSessionBreaks(query)).toEqual(breaks);
  expect(toSessionBreaksQuery(NO_SESSION_BREAKS)).toBe('');
  expect(parseSessionBreaks({ resumed: 'x,-1' })).toEqual(NO_SESSION_BREAKS);
});
