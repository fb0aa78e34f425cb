import { describe, expect, it } from '@jest/globals';
import { camelKeys } from './columns.js';

describe('camelKeys', () => {
  it('renames keys and keeps values as they are', () => {
    const days = ['monday'];
    expect(camelKeys({ name: 'a', max_calls_in_parallel: 3, allowed_days: days })).toEqual({
      name: 'a',
      maxCallsInParallel: 3,
      allowedDays: days,
    });
  });

  it('omits undefined values, and keeps null and false', () => {
    expect(Object.entries(camelKeys({ a_b: undefined, c_d: null, e_f: false }))).toEqual([
      ['cD', null],
      ['eF', false],
    ]);
  });
});
