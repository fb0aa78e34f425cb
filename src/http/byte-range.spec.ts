import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ByteSlice, parseRange, resolveRange, rangeHeader } from './byte-range.js';

const TOTAL = 100;
const part = (header: string) => {
  const range = parseRange(header);
  return range && resolveRange(range, TOTAL);
};

describe('a range of bytes', () => {
  it.each([
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-900', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    [' bytes=0-0 ', { first: 0, last: 0 }],
  ])('%s is a part', (header, expected) => {
    expect(part(header)).toEqual(expected);
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s has no byte', (header) => {
    expect(parseRange(header)).not.toBeNull();
    expect(part(header)).toBeNull();
  });

  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=9-0',
    'bytes=0-1,3-4',
    'items=0-1',
    'bytes=a-b',
    `bytes=${'9'.repeat(16)}-`,
  ])('%s is ignored', (header) => {
    expect(parseRange(header)).toBeNull();
  });

  it('of an empty resource is never a part', () => {
    expect(resolveRange({ suffix: 1 }, 0)).toBeNull();
    expect(resolveRange({ first: 0, last: null }, 0)).toBeNull();
  });

  it('is sent as it is read', () => {
    for (const header of ['bytes=0-9', 'bytes=90-', 'bytes=-10']) {
      const range = parseRange(header);
      expect(range && rangeHeader(range)).toBe(header);
    }
  });

  it('is cut out of chunks of any size', async () => {
    const whole = Buffer.from(Array.from({ length: TOTAL }, (_, index) => index));
    for (const size of [1, 7, 100]) {
      for (const [first, last] of [
        [0, 99],
        [0, 0],
        [6, 7],
        [13, 42],
        [99, 99],
      ] as const) {
        const chunks = Array.from({ length: Math.ceil(TOTAL / size) }, (_, n) =>
          whole.subarray(n * size, (n + 1) * size),
        );
        const cut = await buffer(Readable.from(chunks).pipe(new ByteSlice({ first, last })));
        expect([size, [...cut]]).toEqual([size, [...whole.subarray(first, last + 1)]]);
      }
    }
  });
});
