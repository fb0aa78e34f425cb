import { describe, expect, it } from '@jest/globals';
import { addBreak, breaksQuery, NO_BREAKS, readBreaks } from './session-breaks.js';

const NOW = 1_700_000_000_000;

describe('addBreak', () => {
  it('gives three new sessions within a minute, and no fourth', () => {
    let breaks = NO_BREAKS;
    const over: boolean[] = [];
    for (let second = 0; second < 4; second += 1) {
      const next = addBreak(breaks, '64105', NOW + second * 1000);
      over.push(next.resumption.isOver);
      breaks = next.breaks;
    }
    expect(over).toEqual([false, false, false, true]);
  });

  it('forgets breaks after a minute', () => {
    const resumedAt = [NOW - 60_000, NOW - 59_999, NOW - 1];
    expect(addBreak({ resumedAt, defaultVoice: false }, '64102', NOW)).toEqual({
      breaks: { resumedAt: [NOW - 59_999, NOW - 1, NOW], defaultVoice: false },
      resumption: { defaultVoice: false, isOver: false },
    });
  });

  it('tries the default voice once when the attributes were refused, and keeps it', () => {
    const first = addBreak(NO_BREAKS, '64101', NOW);
    expect(first.resumption).toEqual({ defaultVoice: true, isOver: false });
    expect(addBreak(first.breaks, '64105', NOW).resumption).toEqual({ defaultVoice: true, isOver: false });
    expect(addBreak(first.breaks, '64101', NOW).resumption.isOver).toBe(true);
  });
});

it('survives the way through a URL', () => {
  const breaks = { resumedAt: [NOW, NOW + 1], defaultVoice: true };
  const query = Object.fromEntries(new URLSearchParams(breaksQuery(breaks)));
  expect(readBreaks(query)).toEqual(breaks);
  expect(breaksQuery(NO_BREAKS)).toBe('');
  expect(readBreaks({ resumed: 'x,-1' })).toEqual(NO_BREAKS);
});
