import { isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

export interface ResponseBody {
  /** Well-formed and free of NUL, so that it can be stored; `maxResponseBytes` of UTF-8 at most. */
  body: string;
  truncated: boolean;
  /** Its compression is not supported; `body` is a sentence about it. */
  unreadable?: true;
  /** As received, without compression; `maxResponseBytes` at most. Only when asked for; `body` is empty then. */
  bytes?: Buffer;
}

/** What a body becomes: a text, or its bytes for a caller who decodes them. */
export type BodyReader = (chunks: readonly Buffer[], maxBytes: number) => ResponseBody;

/** Compressed again by each proxy on the way; more than that only an attack does. */
const MAX_LAYERS = 3;

type Unpacker = () => Transform;

/** zstd came with Node 22.15. */
const createZstdDecompress = (zlib as { createZstdDecompress?: Unpacker }).createZstdDecompress;

/** By the names of content codings (RFC 9110, 8.4.1) in lower case; null: known, and not undone here. */
const UNPACKERS: Readonly<Record<string, ((packed: Buffer) => Unpacker) | null>> = {
  gzip: () => zlib.createGunzip,
  'x-gzip': () => zlib.createGunzip,
  deflate: (packed) => (hasZlibHeader(packed) ? zlib.createInflate : zlib.createInflateRaw),
  br: () => zlib.createBrotliDecompress,
  zstd: createZstdDecompress ? () => createZstdDecompress : null,
  compress: null,
  'x-compress': null,
};

/** The text of an uncompressed body, truncated to `maxBytes`. */
export const truncateBody: BodyReader = (chunks, maxBytes) => {
  const bytes = joined(chunks);
  const text = decode(bytes, maxBytes);
  // Each byte that is not UTF-8 became a replacement character of three bytes.
  const body = Buffer.byteLength(text) > maxBytes ? decode(Buffer.from(text), maxBytes) : text;
  return { body, truncated: bytes.length > maxBytes };
};

/** The bytes of an uncompressed body, truncated to `maxBytes`. */
export const truncateBytes: BodyReader = (chunks, maxBytes) => {
  const bytes = joined(chunks);
  return { body: '', truncated: bytes.length > maxBytes, bytes: bytes.subarray(0, maxBytes) };
};

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}

/**
 * The same of a body that may be compressed, although none was asked for: proxies do it, name it in upper case, do it
 * twice, do not name it, or name it and do not do it. At most `maxBytes` are read of what was sent, and kept of each
 * layer that is unpacked, so that a few bytes which unpack to gigabytes cost as much as others.
 *
 * @param encoding the header `Content-Encoding`
 */
export async function readBody(
  chunks: readonly Buffer[],
  encoding: string | undefined,
  maxBytes: number,
  read: BodyReader = truncateBody,
): Promise<ResponseBody> {
  const codings = codingsOf(encoding);
  const isPlain = codings.length === 0 && !isGzip(chunks[0]);
  return isPlain || chunks.length === 0
    ? read(chunks, maxBytes)
    : unpackBody(chunks, codings, maxBytes, read);
}

async function unpackBody(
  chunks: readonly Buffer[],
  named: readonly string[],
  maxBytes: number,
  read: BodyReader,
): Promise<ResponseBody> {
  const codings = [...named];
  let bytes: Buffer = Buffer.concat(chunks);
  let isCut = bytes.length > maxBytes;
  for (let layer = 0; codings.length > 0 || isGzip(bytes); layer++) {
    const coding = codings.pop() ?? 'gzip';
    const unpacker = UNPACKERS[coding];
    const unpacked =
      unpacker && layer < MAX_LAYERS ? await unpack(bytes, unpacker(bytes)(), maxBytes, isCut) : null;
    // The name is that of the unsupported compression.
    if (unpacked === null && isText(bytes)) break;
    if (unpacked === null) return unreadable(coding);
    bytes = unpacked.bytes;
    isCut ||= unpacked.isCut;
  }
  const body = read([bytes], maxBytes);
  return { ...body, truncated: body.truncated || isCut };
}

/** @param isCut the end is missing, which is no error. @returns null: it is not compressed so, or is damaged */
function unpack(
  packed: Buffer,
  unpacker: Transform,
  maxBytes: number,
  isCut: boolean,
): Promise<{ bytes: Buffer; isCut: boolean } | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const done = (isOver: boolean): void => {
      resolve({ bytes: Buffer.concat(chunks), isCut: isOver });
      unpacker.destroy();
    };
    unpacker.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) done(true);
    });
    unpacker.on('end', () => done(false));
    unpacker.on('error', () => (isCut && length > 0 ? done(true) : resolve(null)));
    unpacker.end(packed);
  });
}

const unreadable = (coding: string): ResponseBody => ({
  body: `The response is compressed (${coding.slice(0, 20)}) and could not be unpacked.`,
  truncated: false,
  unreadable: true,
});

function codingsOf(encoding = ''): string[] {
  const names = encoding.toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => Object.hasOwn(UNPACKERS, name));
}

const isGzip = (bytes: Buffer | undefined): boolean => bytes?.[0] === 0x1f && bytes[1] === 0x8b;

/** RFC 1950: compression method 8, and a checksum; senders of raw deflate leave the header out. */
const hasZlibHeader = (bytes: Buffer): boolean =>
  bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;

/** A character at the cut may be split; text contains no controls other than white space. */
const isText = (bytes: Buffer): boolean =>
  [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut))) &&
  !bytes.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13);

/** Of whole texts: one that is cut leaves its last bytes behind in its decoder. */
const WHOLE = new TextDecoder();

/** UTF-8 without NUL (Postgres stores none); a character that the cut would split is left out. */
function decode(bytes: Buffer, maxBytes: number): string {
  const text =
    bytes.length > maxBytes
      ? new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })
      : WHOLE.decode(bytes);
  return text.replaceAll('\0', '');
}
