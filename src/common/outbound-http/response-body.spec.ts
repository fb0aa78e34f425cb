import { describe, expect, it } from '@jest/globals';
import { cutBody } from './outbound-exchange.js';

const pieces = (...chunks: (string | number[])[]): Buffer[] =>
  chunks.map((chunk) => Buffer.from(chunk as string));

describe('cutBody', () => {
  it.each([
    ['nothing', pieces(), 10, '', false],
    ['a body at the cap', pieces('12345', '67890'), 10, '1234567890', false],
    ['a body over the cap', pieces('12345', '678901'), 10, '1234567890', true],
    ['a character in two pieces', pieces([0xe2, 0x82], [0xac]), 10, '€', false],
    ['a character at the cut', pieces('aaaaaaaa€'), 10, 'aaaaaaaa', true],
    ['an emoji at the cut', pieces('aaaaaaa😀'), 10, 'aaaaaaa', true],
    ['NUL', pieces('a\0b'), 10, 'ab', false],
    ['a byte order mark', pieces([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), 10, '{}', false],
    ['bytes that are not UTF-8', pieces([0xff, 0x41, 0xc3]), 10, '\ufffdA\ufffd', false],
    ['a cap of nothing', pieces('a'), 0, '', true],
  ])('%s', (_what, chunks, cap, body, truncated) => {
    expect(cutBody(chunks, cap)).toEqual({ body, truncated });
  });

  it('keeps the limit when invalid bytes become longer replacement characters', () => {
    const { body } = cutBody(pieces(Array.from({ length: 10 }, () => 0xff)), 10);
    expect(body).toBe('\ufffd\ufffd\ufffd');
  });
});
