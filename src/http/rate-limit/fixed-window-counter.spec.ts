import { describe, expect, it } from '@jest/globals';
import { addressKey } from './address-key.js';
import { FixedWindowCounter } from './fixed-window-counter.js';

describe('FixedWindowCounter', () => {
  it('allows a number of requests for a key in a window, and returns the time until the window ends', () => {
    let now = 0;
    const windows = new FixedWindowCounter(2, 60_000, () => now);
    expect([windows.count('a'), windows.secondsLeft('a')]).toEqual([null, null]);
    now = 20_000;
    expect([windows.count('a'), windows.secondsLeft('a')]).toEqual([null, 40]);
    expect([windows.count('b'), windows.secondsLeft('b')]).toEqual([null, null]);
    expect([windows.count('a'), windows.secondsLeft('a')]).toEqual([40, 40]);
    now = 60_000;
    expect([windows.secondsLeft('a'), windows.count('a')]).toEqual([null, null]);
  });
});

describe('addressKey', () => {
  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['2001:db8::1', '8193:3512:0:0'],
    ['2001:db8:0:0:ffff::', '8193:3512:0:0'],
    ['2001:db8:0:1::1', '8193:3512:0:1'],
    ['unix:', 'unix:'],
  ])('of %s is %s', (ip, key) => expect(addressKey(ip)).toBe(key));
});
