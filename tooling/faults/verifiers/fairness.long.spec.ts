import { describe, expect, it } from '@jest/globals';
import { verifyClosedWindows, verifyShares } from './fairness.js';

describe('verifyClosedWindows', () => {
  it('accepts no write and quick dials', () => {
    expect(verifyClosedWindows({ written: 0, startToDialMs: [80, 500] })).toEqual([]);
  });

  it.each([
    ['a write', { written: 1, startToDialMs: [80] }],
    ['a late dial', { written: 0, startToDialMs: [80, 501] }],
    ['a missing dial', { written: 0, startToDialMs: [80, null] }],
  ])('flags %s', (_, seen) => {
    expect(verifyClosedWindows(seen)).toHaveLength(1);
  });
});

describe('verifyShares', () => {
  it('accepts small campaigns that are a fifth slower', () => {
    expect(verifyShares({ aloneMs: [10_000, 20_000], besideMs: [12_000, 24_000] })).toEqual([]);
  });

  it.each([
    ['small campaigns that are slower on average', { aloneMs: [1_000, 2_000], besideMs: [2_000, 2_000] }],
    ['one that is much slower', { aloneMs: [1_000, 1_000, 1_000], besideMs: [1_000, 1_000, 1_300] }],
    ['none that ended', { aloneMs: [1_000], besideMs: [Infinity] }],
  ])('flags %s', (_, seen) => {
    expect(verifyShares(seen)).not.toEqual([]);
  });
});
