import { expect, it } from '@jest/globals';
import { maskNumber } from './mask-number.js';

it.each([
  ['+14155550123', '+*********23'],
  ['+4915112345678', '+***********78'],
])('shows of %s the last two digits', (number, masked) => {
  expect(maskNumber(number)).toBe(masked);
  expect(masked).toHaveLength(number.length);
});
