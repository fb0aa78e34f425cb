import { describe, expect, it } from '@jest/globals';
import { BoundedCache } from './bounded-cache.js';

describe('BoundedCache', () => {
  it('forgets what was used least recently when it is full', () => {
    const cache = new BoundedCache<{ bytes: number }>(30);
    for (const key of ['a', 'b', 'c']) cache.set(key, { bytes: 10 });
    cache.get('a');
    cache.set('d', { bytes: 10 });
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd']);
  });

  it('counts a value that is replaced once', () => {
    const cache = new BoundedCache<{ bytes: number }>(30);
    cache.set('a', { bytes: 10 });
    for (let time = 0; time < 5; time++) cache.set('b', { bytes: 20 });
    expect(cache.get('a')).toBeDefined();
  });

  it('keeps the newest value, larger than all of it', () => {
    const cache = new BoundedCache<{ bytes: number }>(30);
    cache.set('a', { bytes: 10 });
    cache.set('b', { bytes: 90 });
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, { bytes: 90 }]);
  });
});
