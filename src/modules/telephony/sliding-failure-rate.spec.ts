import { expect, it } from '@jest/globals';
import { SlidingFailureRate } from './sliding-failure-rate.js';

const START = 1_000_000;
const after = (...requests: [seconds: number, ok: boolean][]): boolean => {
  let now = START;
  const rate = new SlidingFailureRate(() => now);
  for (const [seconds, ok] of requests) {
    now = START + seconds * 1000;
    rate.recordRequest(ok);
  }
  return rate.isHalfFailed();
};
const [OK, FAILED] = [true, false];

it('requires five requests', () => {
  expect(after([0, FAILED], [1, FAILED], [2, FAILED], [3, FAILED])).toBe(false);
  expect(after([0, FAILED], [1, FAILED], [2, FAILED], [3, FAILED], [4, FAILED])).toBe(true);
});

it('requires that half of them fail', () => {
  expect(after([0, OK], [1, OK], [2, OK], [3, FAILED], [4, FAILED])).toBe(false);
  expect(after([0, OK], [1, OK], [2, OK], [3, FAILED], [4, FAILED], [5, FAILED])).toBe(true);
});

it('ignores requests after 120 s', () => {
  expect(after([0, FAILED], [1, FAILED], [118, FAILED], [119, FAILED], [119, FAILED])).toBe(true);
  expect(after([0, FAILED], [1, FAILED], [118, FAILED], [119, FAILED], [120, FAILED])).toBe(false);
});

it('reports whether a request has succeeded since', () => {
  let now = START;
  const rate = new SlidingFailureRate(() => now);
  rate.recordRequest(OK);
  now += 1;
  rate.recordRequest(FAILED);
  expect([rate.hasSucceededSince(START), rate.hasSucceededSince(now)]).toEqual([true, false]);
});
