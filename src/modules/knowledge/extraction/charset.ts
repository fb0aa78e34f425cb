import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import { ExtractionError } from './extracted-text.js';

/** Of a longer text the statistics of its beginning decide. */
const SAMPLE_BYTES = 64 * 1024;
/** A meta element counts only there (HTML, 13.2.3.2). */
const META_BYTES = 1024;
/** Share of characters that no text has, above which it is none. */
const MAX_ODD_SHARE = 0.01;
/** Least confidence of the statistics, in percent; below it Western European is more likely. */
const MIN_CONFIDENCE = 30;

const BYTE_ORDER_MARKS: readonly [charset: string, mark: string][] = [
  ['utf-8', 'efbbbf'],
  ['utf-16le', 'fffe'],
  ['utf-16be', 'feff'],
];

/** How files of other kinds begin, in Latin-1. */
const SIGNATURES: readonly [kind: string, starts: string[]][] = [
  ['a PDF', ['%PDF-']],
  ['a ZIP archive or an Office document', ['PK\x03\x04']],
  ['an old Office document', ['\xd0\xcf\x11\xe0']],
  ['an image', ['\x89PNG', 'GIF8', '\xff\xd8\xff']],
  ['a compressed file', ['\x1f\x8b', '7z\xbc\xaf', 'Rar!', 'BZh9']],
  ['a program', ['\x7fELF', 'MZ\x90\0']],
];

/** Controls other than white space, the replacement character and what is not assigned. */
const ODD = /[^\P{Cc}\t\n\f\r]|[\ufffd\ufffe\uffff]/gu;

/**
 * The text of bytes in any charset: by byte order mark, then as declared, then by the bytes themselves. A declaration
 * that the bytes contradict is ignored.
 *
 * @param declared the charset of the header `Content-Type`
 * @throws ExtractionError when the bytes are no text
 */
export function decodeText(bytes: Uint8Array, declared: string | null = null, isHtml = false): string {
  const start = latin1(bytes.subarray(0, 64));
  const kind = SIGNATURES.find(([, starts]) => starts.some((one) => start.startsWith(one)))?.[0];
  if (kind) throw new ExtractionError(`The file is not a text: it is ${kind}.`);
  const text = decode(bytes, [declared, isHtml ? metaCharset(bytes) : null]).replace(/^\ufeff/, '');
  const sample = text.slice(0, SAMPLE_BYTES);
  if ((sample.match(ODD)?.length ?? 0) > sample.length * MAX_ODD_SHARE)
    throw new ExtractionError('The file is not a text, or its character set is unknown.');
  return text.replace(ODD, '').replace(/\r\n?/g, '\n');
}

function decode(bytes: Uint8Array, declared: readonly (string | null)[]): string {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => hex(bytes).startsWith(mark));
  if (marked) return new TextDecoder(marked[0]).decode(bytes);
  const wide = wideCharset(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  // Text of another charset is hardly ever valid UTF-8 as well.
  if (isUtf8(bytes)) {
    const escaped = declared.find((label) => label !== null && /^iso-2022-/i.test(label));
    return new TextDecoder(escaped ?? 'utf-8').decode(bytes);
  }
  for (const label of declared) {
    const text = label === null ? null : decodeAs(label, bytes);
    if (text !== null) return text;
  }
  return decodeAs(likelyCharset(bytes), bytes) ?? new TextDecoder('windows-1252').decode(bytes);
}

/** Null: there is no such charset, or the bytes are not of it. */
function decodeAs(label: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function metaCharset(bytes: Uint8Array): string | null {
  const head = latin1(bytes.subarray(0, META_BYTES));
  return /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head)?.[1] ?? null;
}

/** UTF-16 without a mark: in most scripts of one alphabet, blanks and line ends have a zero in every other byte. */
function wideCharset(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const enough = sample.length / 20;
  if (odd > enough && even * 10 < odd) return 'utf-16le';
  return even > enough && odd * 10 < even ? 'utf-16be' : null;
}

/** The most likely charset of which the text has no controls: Latin alphabets differ in little else. */
function likelyCharset(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const likely = analyse(sample).filter(({ confidence }) => confidence >= MIN_CONFIDENCE);
  const fitting = likely.find(({ name }) => decodeAs(name, sample)?.match(ODD) === null);
  return fitting?.name ?? 'windows-1252';
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 3)).toString('hex');
