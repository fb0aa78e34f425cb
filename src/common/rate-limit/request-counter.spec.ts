import { afterEach, describe, expect, it } from '@jest/globals';
import { MemoryCounter } from './request-counter.js';

describe('MemoryCounter', () => {
  let now = 0;
  const counter = new MemoryCounter(() => now);
  afterEach(() => counter.close());

  it('counts each key in windows that begin with its first request', async () => {
    expect(await counter.count('a')).toEqual({ count: 1, resetMs: 60_000 });
    now = 20_000;
    expect(await counter.count('a')).toEqual({ count: 2, resetMs: 40_000 });
    expect(await counter.count('b')).toEqual({ count: 1, resetMs: 60_000 });
    now = 60_000;
    expect(await counter.count('a')).toEqual({ count: 1, resetMs: 60_000 });
    expect(await counter.count('b')).toEqual({ count: 2, resetMs: 20_000 });
  });
});
