import { describe, expect, it } from '@jest/globals';
import { cachedReader } from './dial-metrics.service.js';

describe('cached values', () => {
  it('reads once in the given time, for scrapes at the same time too, and again after a failure', async () => {
    let now = 0;
    let reads = 0;
    const value = cachedReader(
      async () => {
        reads += 1;
        if (reads === 2) throw new Error('away');
        return reads;
      },
      15_000,
      () => now,
    );
    expect(await Promise.all([value(), value()])).toEqual([1, 1]);
    now = 14_999;
    expect(await value()).toBe(1);
    now = 15_000;
    expect(await value()).toBeNull();
    now = 30_000;
    expect(await value()).toBe(3);
  });
});
