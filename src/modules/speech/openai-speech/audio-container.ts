import { toPcm } from '../audio/audio-format.js';
import { Resampler } from '../audio/resampler.js';
import { SpeechError } from '../speech-error.js';
import { SYNTHESIS_RATE } from '../synthesizer.js';
import { readWavHeader, toMono, type WavFormat } from './wav-header.js';

/** Bytes needed to distinguish a container from samples. */
const MAGIC_BYTES = 12;
/** 10 ms of samples. */
const MIN_CHUNK_BYTES = 480;

/** Unsupported containers; MP3 and AAC are also recognised by the header of a frame. */
const CONTAINERS: readonly [name: string, begins: (head: Buffer) => boolean][] = [
  ['MP3', (head) => head.toString('latin1', 0, 3) === 'ID3' || isMp3Frame(head)],
  ['AAC', (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0],
  ['Ogg', (head) => head.toString('latin1', 0, 4) === 'OggS'],
  ['FLAC', (head) => head.toString('latin1', 0, 4) === 'fLaC'],
  ['MP4', (head) => head.toString('latin1', 4, 8) === 'ftyp'],
  ['WebM', (head) => head.readUInt32BE(0) === 0x1a45dfa3],
  ['AIFF or big-endian WAV', (head) => /^(?:FORM|RIFX)/.test(head.toString('latin1'))],
  ['AU', (head) => head.toString('latin1', 0, 4) === '.snd'],
  // Printable characters as samples would be six loud ones of one sign, unlike the start of a voice.
  ['text', (head) => /^[\x20-\x7e\s]+$/.test(head.toString('latin1'))],
];
/** Such a text may be short, or not in ASCII. */
const TEXT_TYPE = /^\s*(?:text\/|application\/(?:\w+\+)?json)/i;

const isWav = (head: Buffer): boolean =>
  /^R(?:IFF|F64)....WAVE/s.test(head.toString('latin1', 0, MAGIC_BYTES));

/** An MPEG frame of layer 3 with a bit rate and a sample rate that exist. */
const isMp3Frame = ([first = 0, second = 0, third = 0]: Buffer): boolean =>
  first === 0xff &&
  (second & 0xe6) === 0xe2 &&
  (second & 0x18) !== 0x08 &&
  third >> 4 > 0 &&
  third >> 4 < 15 &&
  (third & 0x0c) !== 0x0c;

/**
 * Samples of 16 bits of one channel at `SYNTHESIS_RATE` from a server's response. Also from WAV files, one or several in
 * a row as some servers send for each sentence, in the format of each header, and from samples with a rate in the content
 * type (`audio/L16;rate=16000`).
 *
 * @throws SpeechError for another container, or text
 */
export async function* readSamples(
  bytes: AsyncIterable<Buffer>,
  contentType: string,
  path: string,
): AsyncGenerator<Buffer> {
  const reader = bytes[Symbol.asyncIterator]();
  try {
    if (TEXT_TYPE.test(contentType))
      throw new SpeechError(`${path} answers with text instead of samples`, false);
    let head = await readAtLeast(MAGIC_BYTES, Buffer.alloc(0), reader);
    if (head.length >= MAGIC_BYTES) assertNoContainer(head.subarray(0, MAGIC_BYTES), path);
    if (!isWav(head)) return yield* convertAudio(head, reader, rawFormat(contentType));
    while (isWav(head)) {
      let audio: WavFormat | null;
      while ((audio = readWavHeader(head, path)) === null) {
        const more = await readAtLeast(head.length + 1, head, reader);
        if (more.length === head.length)
          throw new SpeechError(`${path} answers with a WAV file that has no audio`, false);
        head = more;
      }
      const rest = yield* convertAudio(head.subarray(audio.start), reader, audio);
      head = await readToNextFile(rest, reader);
    }
  } finally {
    await reader.return?.();
  }
}

/** Fewer at the end of the response. */
async function readAtLeast(length: number, head: Buffer, reader: AsyncIterator<Buffer>): Promise<Buffer> {
  let read = head;
  while (read.length < length) {
    const { value, done } = await reader.next();
    if (done === true) break;
    read = Buffer.concat([read, value]);
  }
  return read;
}

function assertNoContainer(head: Buffer, path: string): void {
  const found = CONTAINERS.find(([, begins]) => begins(head));
  if (found) throw new SpeechError(`${path} answers with ${found[0]} instead of samples`, false);
}

function rawFormat(contentType: string): WavFormat {
  const numberParameter = (name: string, defaultValue: number): number =>
    Number(new RegExp(`;\\s*${name}="?(\\d{1,6})`, 'i').exec(contentType)?.[1] ?? defaultValue);
  const sampleRate = numberParameter('rate', SYNTHESIS_RATE);
  const channels = numberParameter('channels', 1);
  const isKnown = sampleRate >= 8_000 && sampleRate <= 192_000 && channels >= 1 && channels <= 8;
  const rate = isKnown ? { sampleRate, channels } : { sampleRate: SYNTHESIS_RATE, channels: 1 };
  return { ...rate, encoding: 'integer', bits: 16, start: 0, length: Infinity };
}

/** @returns the bytes after the audio: none, or the next file */
async function* convertAudio(
  first: Buffer,
  rest: AsyncIterator<Buffer>,
  audio: WavFormat,
): AsyncGenerator<Buffer, Buffer> {
  const resampler = await Resampler.create(audio.sampleRate, SYNTHESIS_RATE);
  const frameBytes = (audio.bits / 8) * audio.channels;
  const hasUnknownLength = audio.start > 0 && audio.length === Infinity;
  try {
    let pending = first;
    let remaining = audio.length;
    for (let isEnded = false; !isEnded && remaining > 0;) {
      if (pending.length < MIN_CHUNK_BYTES) {
        const { value, done } = await rest.next();
        isEnded = done === true;
        if (done !== true) pending = Buffer.concat([pending, value]);
      }
      // A resampler takes long for a few samples.
      if (!isEnded && pending.length < MIN_CHUNK_BYTES) continue;
      // Without a length in the header, the next file ends the audio.
      const next = hasUnknownLength ? indexOfWav(pending) : -1;
      if (next >= 0) remaining = next;
      // A part of the next header may stand at the end.
      const isCut = hasUnknownLength && next < 0 && !isEnded;
      const ready = isCut ? pending.length - MAGIC_BYTES : pending.length;
      const whole = Math.min(remaining, ready - (ready % frameBytes));
      const samples = pending.subarray(0, whole);
      if (whole > 0) yield isOutputFormat(audio) ? samples : toPcm(resampler.push(toMono(samples, audio)));
      remaining -= whole;
      pending = pending.subarray(whole);
    }
    return pending;
  } finally {
    resampler.close();
  }
}

/** Skips to the next WAV file, past chunks such as lists. */
async function readToNextFile(rest: Buffer, reader: AsyncIterator<Buffer>): Promise<Buffer> {
  let read = rest;
  for (let at = indexOfWav(read); at !== 0; at = indexOfWav(read)) {
    const more = at > 0 ? read.subarray(at) : await readAtLeast(read.length + 1, read, reader);
    if (at < 0 && more.length === read.length) return Buffer.alloc(0);
    read = at > 0 ? more : more.subarray(Math.max(0, read.length - MAGIC_BYTES));
  }
  return read;
}

/** Position of a WAV file within samples; -1: none. */
function indexOfWav(bytes: Buffer): number {
  let at = bytes.indexOf('RIFF');
  while (at >= 0 && at + MAGIC_BYTES <= bytes.length && !isWav(bytes.subarray(at)))
    at = bytes.indexOf('RIFF', at + 1);
  return at + MAGIC_BYTES <= bytes.length ? at : -1;
}

const isOutputFormat = ({ encoding, bits, channels, sampleRate }: WavFormat): boolean =>
  encoding === 'integer' && bits === 16 && channels === 1 && sampleRate === SYNTHESIS_RATE;
