import { Transform, type TransformCallback } from 'node:stream';

/** The range of a request (RFC 9110, section 14): from a byte on, or the last bytes. */
export type ByteRange = { first: number; last: number | null } | { suffix: number };

/** A part of a known whole; both ends are included. */
export interface BytePart {
  first: number;
  last: number;
}

/**
 * Null: the whole is to be sent, also for other units, lists of ranges and malformed headers: a server may ignore the
 * header.
 */
export function parseRange(header: string | undefined): ByteRange | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (from === '') return to === '' ? null : { suffix: Number(to) };
  const [first, last] = [Number(from), to === '' ? null : Number(to)];
  return last !== null && last < first ? null : { first, last };
}

/** The part of a whole of `total` bytes. Null: there are no such bytes. */
export function resolveRange(range: ByteRange, total: number): BytePart | null {
  if ('suffix' in range) {
    return range.suffix === 0 || total === 0
      ? null
      : { first: Math.max(0, total - range.suffix), last: total - 1 };
  }
  if (range.first >= total) return null;
  return { first: range.first, last: Math.min(range.last ?? total - 1, total - 1) };
}

export const rangeHeader = (range: ByteRange): string =>
  'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ''}`;

export const partLength = ({ first, last }: BytePart): number => last - first + 1;

/** Passes through a part of the incoming bytes, and ends with its last one. */
export class ByteSlice extends Transform {
  private position = 0;

  constructor(private readonly part: BytePart) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { first, last } = this.part;
    const start = Math.max(0, first - this.position);
    const end = Math.min(chunk.length, last + 1 - this.position);
    this.position += chunk.length;
    if (end > start) this.push(chunk.subarray(start, end));
    if (this.position > last) this.push(null);
    done();
  }
}
