import { describe, expect, it } from '@jest/globals';
import { readCapped } from './outbound-exchange.js';

async function* pieces(...chunks: (string | number[])[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk as string);
}

describe('readCapped', () => {
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
  ])('%s', async (_what, stream, cap, body, truncated) => {
    expect(await readCapped(stream, cap)).toEqual({ body, truncated });
  });

  it('keeps the limit when invalid bytes become longer replacement characters', async () => {
    const { body } = await readCapped(pieces(Array.from({ length: 10 }, () => 0xff)), 10);
    expect(body).toBe('\ufffd\ufffd\ufffd');
  });

  it('stops reading at the limit', async () => {
    let yielded = 0;
    async function* endless() {
      for (;;) yield Buffer.alloc(4, (yielded += 1) && 0x61);
    }
    expect(await readCapped(endless(), 10)).toEqual({ body: 'a'.repeat(10), truncated: true });
    expect(yielded).toBe(3);
  });
});
