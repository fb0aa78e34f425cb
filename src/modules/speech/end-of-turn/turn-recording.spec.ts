import { beforeEach, describe, expect, it } from '@jest/globals';
import { TurnRecording } from './turn-recording.js';

const RATE = 1_000;

describe('TurnRecording', () => {
  let recording: TurnRecording;
  let next: number;
  /** Samples that count up. */
  const hear = (ms: number, piece = 20): void => {
    for (let at = 0; at < ms; at += piece) recording.push(Int16Array.from({ length: piece }, () => next++));
  };
  const ends = (): [number | undefined, number | undefined] => {
    const taken = recording.take();
    return [taken[0], taken.at(-1)];
  };

  beforeEach(() => {
    recording = new TurnRecording(RATE);
    next = 0;
  });

  it('keeps a turn with the 300 ms before its beginning', () => {
    hear(1_000);
    recording.beginTurn();
    hear(500);
    expect(ends()).toEqual([700, 1_499]);
  });

  it.each([20, 1_000, 9_000])('keeps the last 8 s of a long turn, in pieces of %i samples', (piece) => {
    recording.beginTurn();
    hear(27_000, piece);
    expect([recording.take().length, ...ends()]).toEqual([8_000, 19_000, 26_999]);
  });

  it('forgets the turn before, also after its buffer was moved', () => {
    hear(9_900);
    recording.beginTurn();
    hear(400);
    expect(ends()).toEqual([9_600, 10_299]);
  });

  it('returns a copy', () => {
    hear(100);
    const taken = recording.take();
    hear(12_000);
    expect([taken[0], taken.at(-1)]).toEqual([0, 99]);
  });
});
