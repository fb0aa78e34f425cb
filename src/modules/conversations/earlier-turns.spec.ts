import { describe, expect, it } from '@jest/globals';
import type { Turn } from '../calls/call.view.js';
import { greetingHeard, isSameSession, unheardEnds } from './earlier-turns.js';

const TEXT = 'We have three appointments this week.';

function turn(changes: Partial<Turn>): Turn {
  return { seq: 1, role: 'assistant', text: TEXT, interrupted: false, timings: {}, ...changes };
}

describe('unheardEnds', () => {
  it.each([
    ['that was played to its end', { timings: { textFirst: 0, played: 3_000 } }],
    ['that was interrupted', { interrupted: true, timings: { textFirst: 0, interrupted: 500 } }],
    ['of the customer', { role: 'customer', timings: { prompt: 0 } }],
    ['that was playing for as long as it is', { timings: { textFirst: 1_000, playing: 4_000 } }],
  ] as const)('keeps a turn %s', (_, changes) => {
    expect(unheardEnds([turn(changes)], 1)).toEqual([]);
  });

  it('cuts a turn by the time that it is known to have been played', () => {
    const playing = turn({ timings: { textFirst: 10_000, playing: 12_000 } });
    expect(unheardEnds([playing], 1)).toEqual([{ seq: 1, heard: 'We have three appointments this' }]);
    expect(unheardEnds([playing], 0.7)).toEqual([{ seq: 1, heard: 'We have three' }]);
    expect(unheardEnds([turn({ timings: { textFirst: 10_000 } })], 1)).toEqual([{ seq: 1, heard: '' }]);
  });
});

describe('greetingHeard', () => {
  it.each([
    ['nothing was stored', [], false],
    ['it was only begun', [turn({})], false],
    ['the line broke while it was played', [turn({ interrupted: true })], false],
    ['it was played', [turn({ timings: { played: 1 } })], true],
    ['the customer answered it', [turn({}), turn({ seq: 2, role: 'customer' })], true],
  ])('when %s', (_, turns, heard) => {
    expect(greetingHeard(turns)).toBe(heard);
  });
});

describe('isSameSession', () => {
  it.each([
    ['nothing was stored', [], 0, false],
    ['the greeting of the first document was stored', [turn({ timings: { textFirst: 10 } })], 0, true],
    ['the last turn is older than the document', [turn({ timings: { textFirst: 10 } })], 11, false],
    [
      'the customer spoke since the document',
      [turn({ role: 'customer', timings: { prompt: 12 } })],
      11,
      true,
    ],
  ])('when %s', (_, turns, documentAt, same) => {
    expect(isSameSession(turns, documentAt)).toBe(same);
  });
});
