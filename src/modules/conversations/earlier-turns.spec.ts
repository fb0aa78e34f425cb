import { describe, expect, it } from '@jest/globals';
import type { CallTurnView } from '../calls/call.view.js';
import {
  isGreetingHeard,
  isAnswered,
  isSameSession,
  findPlayingTurns,
  findTruncatedTurns,
} from './earlier-turns.js';

const TEXT = 'We have three appointments this week.';

function turn(changes: Partial<CallTurnView>): CallTurnView {
  return {
    seq: 1,
    role: 'assistant',
    kind: 'speech',
    text: TEXT,
    interrupted: false,
    timings: {},
    ...changes,
  };
}

const filler = (changes: Partial<CallTurnView>): CallTurnView =>
  turn({ kind: 'filler', timings: { textFirst: 1, textLast: 2 }, ...changes });

describe('findTruncatedTurns', () => {
  it.each([
    ['that was played to its end', { timings: { textFirst: 0, played: 3_000 } }],
    ['that was interrupted', { interrupted: true, timings: { textFirst: 0, interrupted: 500 } }],
    ['of the customer', { role: 'customer', timings: { prompt: 0 } }],
    ['that was playing for as long as it is', { timings: { textFirst: 1_000, playing: 9_700 } }],
  ] as const)('keeps a turn %s', (_, changes) => {
    expect(findTruncatedTurns([turn(changes)], { speechSpeed: 1, documentAt: 12_000 })).toEqual([]);
  });

  it('truncates a turn at the end of its session, before the next document', () => {
    const playing = turn({ timings: { textFirst: 9_000, playing: 10_000 } });
    const heard = (speechSpeed: number, documentAt: number) =>
      findTruncatedTurns([playing], { speechSpeed, documentAt }).map((end) => end.heard);
    expect(heard(1, 12_000)).toEqual(['We have three appointments this']);
    expect(heard(0.7, 12_000)).toEqual(['We have three']);
    expect(heard(1, 10_100)).toEqual(['']);
  });
});

describe('isGreetingHeard', () => {
  it.each([
    ['nothing was stored', [], false],
    ['it was only begun', [turn({})], false],
    ['the line broke while it was played', [turn({ interrupted: true })], false],
    ['it was played', [turn({ timings: { played: 1 } })], true],
    ['a second was left of it', [turn({ timings: { heardTo: TEXT.length - 15 } })], true],
    ['more than a second was left of it', [turn({ timings: { heardTo: TEXT.length - 16 } })], false],
    ['what of it was heard was short', [turn({ interrupted: true, timings: { heardTo: 30 } })], false],
    ['the customer answered it', [turn({}), turn({ seq: 2, role: 'customer' })], true],
  ])('when %s', (_, turns, heard) => {
    expect(isGreetingHeard(turns)).toBe(heard);
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

describe('findPlayingTurns', () => {
  it("contains speech since the customer's last words that is neither heard nor cut", () => {
    const turns = [
      turn({}),
      turn({ seq: 2, role: 'customer' }),
      turn({ seq: 3, timings: { played: 1 } }),
      turn({ seq: 4, interrupted: true }),
      turn({ seq: 5 }),
    ];
    expect(findPlayingTurns(turns).map(({ seq }) => seq)).toEqual([5]);
  });
});

describe('isAnswered', () => {
  it.each([
    ['nothing was stored', [], false],
    ['the customer spoke last', [turn({ role: 'customer' })], false],
    ['the process died in mid-answer', [turn({ timings: { textFirst: 1 } })], false],
    ['a sound interrupted the answer', [turn({ interrupted: true, timings: { textLast: 1 } })], false],
    ['the answer was sent in full', [turn({ timings: { textFirst: 1, textLast: 2 } })], true],
    ['only a filler was sent', [turn({ role: 'customer' }), filler({ seq: 2 })], false],
    ['a filler followed the answer', [turn({ timings: { textLast: 2 } }), filler({ seq: 2 })], true],
  ])('when %s', (_, turns, answered) => {
    expect(isAnswered(turns, 0)).toBe(answered);
  });

  it('when a tool ran after the answer', () => {
    const sent = { timings: { textFirst: 1, textLast: 2 } };
    expect([2, 4].map((run) => isAnswered([turn({ seq: 3, ...sent })], run))).toEqual([true, false]);
    expect(isAnswered([turn({ seq: 3, ...sent }), filler({ seq: 5 })], 4)).toBe(false);
  });
});
