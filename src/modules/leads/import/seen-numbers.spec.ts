import { expect, it } from '@jest/globals';
import { SeenNumbers } from './seen-numbers.js';

it('knows each number of a file once it is added, and no other', () => {
  const seen = new SeenNumbers();
  const numbers = Array.from({ length: 20_000 }, (_, n) => `+1212555${String(n * 7).padStart(6, '0')}`);
  numbers.push('+999999999999999', '+4930123456', '+4930123457', '+14294967296', '+18589934592');
  for (const number of numbers) {
    expect(seen.has(number)).toBe(false);
    seen.add(number);
    seen.add(number);
  }
  expect(numbers.every((number) => seen.has(number))).toBe(true);
  expect(['+1212555000001', '+493012345', '+10'].filter((number) => seen.has(number))).toEqual([]);
});
