import { describe, expect, it } from '@jest/globals';
import { ADVISORY_LOCKS } from './locks.js';

describe('ADVISORY_LOCKS', () => {
  it('gives every lock a number of its own', () => {
    const numbers = Object.values(ADVISORY_LOCKS);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
