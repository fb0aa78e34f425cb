import { expect, it } from '@jest/globals';
import { PlaybackClock } from './playback-clock.js';

/** Ten pieces of 100 ms at once. @returns when each has been played, on a line without a way */
const pieces = (clock: PlaybackClock, now: number): number[] =>
  Array.from({ length: 10 }, () => clock.recordSent(100, now));

it('uses the delay of the faster one of two marks for all marks', () => {
  const clock = new PlaybackClock();
  const [first = 0, second = 0, third = 0, fourth = 0] = pieces(clock, 1_000);
  clock.recordMark(first, first + 40);
  clock.recordMark(second, second + 190);
  expect(clock.remainingMs(third, second + 190)).toBe(0);
  expect(clock.remainingMs(fourth, second + 190)).toBe(50);
});

it('counts nothing as played before audio that is sent late', () => {
  const clock = new PlaybackClock();
  clock.recordMark(clock.recordSent(100, 0), 140);
  expect(clock.remainingMs(clock.recordSent(100, 5_000), 5_060)).toBe(80);
});

it('trusts the marks after a pause of the line', () => {
  const clock = new PlaybackClock();
  const [first = 0, second = 0, third = 0] = pieces(clock, 0);
  clock.recordMark(first, first + 40);
  clock.recordMark(second, second + 3_040);
  expect(clock.remainingMs(third, second + 3_040)).toBe(100);
});

it('counts nothing as played during a short pause of the line, from the second mark behind it on', () => {
  const clock = new PlaybackClock();
  const ends = pieces(clock, 0);
  for (const [index, delay] of [10, 10, 130, 130].entries())
    clock.recordMark(ends[index] ?? 0, (ends[index] ?? 0) + delay);
  expect(clock.remainingMs(ends[4] ?? 0, 530)).toBe(100);
});

it('discards earlier delays', () => {
  const clock = new PlaybackClock();
  const ends = pieces(clock, 0);
  clock.recordMark(ends[0] ?? 0, 110);
  clock.recordMark(ends[8] ?? 0, 1_200);
  expect(clock.remainingMs(ends[9] ?? 0, 1_200)).toBe(100);
});

it.each([
  ['had played all', () => undefined],
  ['was cleared', (clock: PlaybackClock) => clock.recordClear()],
])('does not count audio as played that is sent after a line played ahead and %s', (_case, then) => {
  const clock = new PlaybackClock();
  clock.recordMark(clock.recordSent(400, 0), 10);
  then(clock);
  expect(clock.remainingMs(clock.recordSent(400, 20), 30)).toBe(390);
});
