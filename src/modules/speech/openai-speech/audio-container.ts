import { toPcm } from '../audio/audio-format.js';
import { Resampler } from '../audio/resampler.js';
import { SpeechError } from '../speech-error.js';
import { SYNTHESIS_RATE } from '../synthesizer.js';
import { readWavHeader, toMono, type WavAudio } from './wav-header.js';

/** So many bytes tell a container from samples. */
const MAGIC_BYTES = 12;
/** 10 ms of samples. */
const MIN_BYTES = 480;

/** Containers that are not read here; MP3 and AAC are also recognised by the header of a frame. */
const CONTAINERS: readonly [name: string, begins: (head: Buffer) => boolean][] = [
  ['MP3', (head) => head.toString('latin1', 0, 3) === 'ID3' || isMp3Frame(head)],
  ['AAC', (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0],
  ['Ogg', (head) => head.toString('latin1', 0, 4) === 'OggS'],
  ['FLAC', (head) => head.toString('latin1', 0, 4) === 'fLaC'],
  ['MP4', (head) => head.toString('latin1', 4, 8) === 'ftyp'],
  ['WebM', (head) => head.readUInt32BE(0) === 0x1a45dfa3],
  ['AIFF', (head) => head.toString('latin1', 0, 4) === 'FORM'],
  ['text', (head) => /^\s*[{[<][\x20-\x7e\s]*$/.test(head.toString('latin1'))],
];

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
 * Samples of 16 bits of one channel at `SYNTHESIS_RATE`, from the answer of a server that was asked for them. Also from
 * a WAV file, in the format that its header names, and from samples whose rate the content type names
 * (`audio/L16;rate=16000`).
 *
 * @throws SpeechError for another container, or text
 */
export async function* samplesIn(
  bytes: AsyncIterable<Buffer>,
  contentType: string,
  path: string,
): AsyncGenerator<Buffer> {
  const reader = bytes[Symbol.asyncIterator]();
  try {
    let head = Buffer.alloc(0);
    const more = async (): Promise<boolean> => {
      const { value, done } = await reader.next();
      if (done !== true) head = Buffer.concat([head, value]);
      return done !== true;
    };
    while (head.length < MAGIC_BYTES && (await more()));
    if (head.length >= MAGIC_BYTES) refuseContainer(head.subarray(0, MAGIC_BYTES), path);
    let audio: WavAudio | null = null;
    if (isWav(head)) {
      while ((audio = readWavHeader(head, path)) === null)
        if (!(await more()))
          throw new SpeechError(`${path} answers with a WAV file that has no audio`, false);
      head = head.subarray(audio.start);
    }
    yield* converted(head, reader, audio ?? rawAudio(contentType));
  } finally {
    await reader.return?.();
  }
}

function refuseContainer(head: Buffer, path: string): void {
  const found = CONTAINERS.find(([, begins]) => begins(head));
  if (found) throw new SpeechError(`${path} answers with ${found[0]} instead of samples`, false);
}

function rawAudio(contentType: string): WavAudio {
  const numberOf = (name: string, otherwise: number): number =>
    Number(new RegExp(`;\\s*${name}="?(\\d{1,6})`, 'i').exec(contentType)?.[1] ?? otherwise);
  const sampleRate = numberOf('rate', SYNTHESIS_RATE);
  const channels = numberOf('channels', 1);
  const isKnown = sampleRate >= 8_000 && sampleRate <= 192_000 && channels >= 1 && channels <= 8;
  const rate = isKnown ? { sampleRate, channels } : { sampleRate: SYNTHESIS_RATE, channels: 1 };
  return { ...rate, encoding: 'integer', bits: 16, start: 0, length: Infinity };
}

async function* converted(
  first: Buffer,
  rest: AsyncIterator<Buffer>,
  audio: WavAudio,
): AsyncGenerator<Buffer> {
  const resampler = await Resampler.create(audio.sampleRate, SYNTHESIS_RATE);
  const frameBytes = (audio.bits / 8) * audio.channels;
  try {
    let pending = first;
    let left = audio.length;
    for (let isOver = false; !isOver && left > 0;) {
      const { value, done } = await rest.next();
      isOver = done === true;
      if (done !== true) pending = Buffer.concat([pending, value]);
      // A resampler takes long for a few samples.
      if (!isOver && pending.length < MIN_BYTES) continue;
      const whole = Math.min(left, pending.length - (pending.length % frameBytes));
      const samples = pending.subarray(0, whole);
      if (whole > 0) yield isAsWanted(audio) ? samples : toPcm(resampler.push(toMono(samples, audio)));
      left -= whole;
      pending = pending.subarray(whole);
    }
  } finally {
    resampler.close();
  }
}

const isAsWanted = ({ encoding, bits, channels, sampleRate }: WavAudio): boolean =>
  encoding === 'integer' && bits === 16 && channels === 1 && sampleRate === SYNTHESIS_RATE;
