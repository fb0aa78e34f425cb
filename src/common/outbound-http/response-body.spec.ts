import { describe, expect, it } from '@jest/globals';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { truncateBody, readBody } from './response-body.js';

const pieces = (...chunks: (string | number[])[]): Buffer[] =>
  chunks.map((chunk) => Buffer.from(chunk as string));

describe('truncateBody', () => {
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
    expect(truncateBody(chunks, cap)).toEqual({ body, truncated });
  });

  it('keeps the limit when invalid bytes become longer replacement characters', () => {
    const { body } = truncateBody(pieces(Array.from({ length: 10 }, () => 0xff)), 10);
    expect(body).toBe('\ufffd\ufffd\ufffd');
  });
});

const TEXT = '{"free":"10:00","note":"Zoë"}';
const packedAs = (pack: (text: Buffer) => Buffer, times = 1): Buffer => {
  let bytes: Buffer = Buffer.from(TEXT);
  for (let time = 0; time < times; time++) bytes = pack(bytes);
  return bytes;
};
const gzipped = packedAs(gzipSync);

describe('readBody', () => {
  it.each<[string, string | undefined, Buffer]>([
    ['plain', undefined, Buffer.from(TEXT)],
    ['identity', 'identity', Buffer.from(TEXT)],
    ['gzip', 'gzip', gzipped],
    ['gzip by its old name', 'x-gzip', gzipped],
    ['gzip in upper case, with blanks', ' GZIP , identity', gzipped],
    ['gzip that nobody names', undefined, gzipped],
    ['gzip by a wrong name', 'utf-8', gzipped],
    ['gzip, twice', 'gzip, gzip', packedAs(gzipSync, 2)],
    ['gzip, twice and named once', 'gzip', packedAs(gzipSync, 2)],
    ['brotli in gzip', 'br, gzip', gzipSync(packedAs(brotliCompressSync))],
    ['two members of gzip', 'gzip', Buffer.concat([gzipSync(TEXT.slice(0, 9)), gzipSync(TEXT.slice(9))])],
    ['deflate', 'deflate', packedAs(deflateSync)],
    ['deflate without a header', 'deflate', packedAs(deflateRawSync)],
    ['brotli', 'br', packedAs(brotliCompressSync)],
    ['a name without compression', 'gzip', Buffer.from(TEXT)],
    ['the name of brotli without it', 'br', Buffer.from(TEXT)],
    ['an unknown name', 'aws-chunked', Buffer.from(TEXT)],
  ])('reads %s', async (_what, encoding, bytes) => {
    expect(await readBody([bytes.subarray(0, 3), bytes.subarray(3)], encoding, 4096)).toEqual({
      body: TEXT,
      truncated: false,
    });
  });

  it.each([
    ['compressed by nobody’s rule', 'compress', Buffer.from([0x1f, 0x9d, 0x90, 0x61])],
    ['cut off', 'gzip', gzipped.subarray(0, gzipped.length - 12)],
    ['damaged', 'br', Buffer.from([0x8b, 0x00, 0xff, 0xfe, 0x00, 0x01])],
    ['packed four times', 'gzip', packedAs(gzipSync, 4)],
  ])('reports that a body that is %s is unreadable', async (_what, encoding, bytes) => {
    expect(await readBody([bytes], encoding, 4096)).toEqual({
      body: expect.stringMatching(
        /^The response is compressed \((gzip|br|compress)\) and could not be unpacked\.$/,
      ),
      truncated: false,
      unreadable: true,
    });
  });

  it('keeps the limit for a body that decompresses to much more', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
    expect(await readBody([gzipSync(bomb)], 'gzip, gzip', 100_000)).toEqual({
      body: 'a'.repeat(100_000),
      truncated: true,
    });
  });

  it('keeps the beginning of a body that is read in part', async () => {
    const noise = Buffer.from(Array.from({ length: 9_000 }, (_, at) => 48 + ((at * at) % 74)));
    const bytes = gzipSync(noise);
    const { body, truncated, unreadable } = await readBody([bytes.subarray(0, 600)], 'gzip', 599);
    expect({ truncated, unreadable }).toEqual({ truncated: true, unreadable: undefined });
    expect(noise.toString().startsWith(body)).toBe(true);
    expect(body.length).toBeGreaterThan(0);
  });

  it('is empty when nothing is sent', async () => {
    expect(await readBody([], 'gzip', 100)).toEqual({ body: '', truncated: false });
  });
});
