import { expect, it } from '@jest/globals';
import { SeenNumbers } from './seen-numbers.js';

it('keeps the first million numbers', () => {
  const seen = new SeenNumbers();
  for (let n = 0; n < 1_000_001; n += 1) seen.add(`+1${2_000_000_000 + n}`);
  expect([0, 999_999, 1_000_000].map((n) => seen.has(`+1${2_000_000_000 + n}`))).toEqual([true, true, false]);
});
