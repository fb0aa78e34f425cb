import { decodeMulaw } from '#src/modules/media/mulaw.js';
import { SpeechError } from '../speech-error.js';

export interface WavAudio {
  sampleRate: number;
  /** 1 to 8. */
  channels: number;
  encoding: 'integer' | 'float' | 'mulaw';
  /** Of one sample of one channel. */
  bits: number;
  /** Where the samples begin. */
  start: number;
  /** Bytes of samples; Infinity where the header was written before they were known. */
  length: number;
}

/** A header with its lists of names and dates is shorter. */
const MAX_HEADER_BYTES = 64 * 1024;
const CHUNK_HEADER_BYTES = 8;
const FIRST_CHUNK = 12;
const FORMAT_BYTES = 16;
/** `WAVE_FORMAT_EXTENSIBLE`: the encoding stands in the first bytes of the sub-format. */
const EXTENSIBLE = 0xfffe;
const SUB_FORMAT = 24;
/** Servers that stream do not know the length: 0, all bits or the largest signed number. */
const UNKNOWN_LENGTHS = [0, 0xffffffff, 0x7fffffff];
const MIN_RATE = 8_000;
const MAX_RATE = 192_000;

const ENCODINGS: Readonly<Record<number, { encoding: WavAudio['encoding']; bits: readonly number[] }>> = {
  1: { encoding: 'integer', bits: [8, 16, 24, 32] },
  3: { encoding: 'float', bits: [32] },
  7: { encoding: 'mulaw', bits: [8] },
};

/**
 * Reads the header at the beginning of a WAV file.
 *
 * @returns null while it is not complete
 * @throws SpeechError for an encoding that is not read, and without samples in the first 64 KiB
 */
export function readWavHeader(file: Buffer, path: string): WavAudio | null {
  let format: Omit<WavAudio, 'start' | 'length'> | null = null;
  for (let at = FIRST_CHUNK; at + CHUNK_HEADER_BYTES <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const start = at + CHUNK_HEADER_BYTES;
    if (name === 'data') {
      if (!format) throw new SpeechError(`${path} answers with a WAV file without a format`, false);
      const isKnown = !UNKNOWN_LENGTHS.includes(length);
      return { ...format, start, length: isKnown ? length : Infinity };
    }
    if (name === 'fmt ' && file.length < start + length) break;
    if (name === 'fmt ') format = readFormat(file.subarray(start, start + length), path);
    // Chunks begin at even places.
    at = start + length + (length % 2);
    if (at > MAX_HEADER_BYTES) break;
  }
  if (file.length > MAX_HEADER_BYTES)
    throw new SpeechError(`${path} answers with a WAV file without audio`, false);
  return null;
}

function readFormat(chunk: Buffer, path: string): Omit<WavAudio, 'start' | 'length'> {
  const refused = new SpeechError(`${path} answers with a WAV file whose format is not known`, false);
  if (chunk.length < FORMAT_BYTES) throw refused;
  const named = chunk.readUInt16LE(0);
  const isExtensible = named === EXTENSIBLE && chunk.length >= SUB_FORMAT + 2;
  const known = ENCODINGS[isExtensible ? chunk.readUInt16LE(SUB_FORMAT) : named];
  const channels = chunk.readUInt16LE(2);
  const sampleRate = chunk.readUInt32LE(4);
  const bits = chunk.readUInt16LE(14);
  const isUsual = channels >= 1 && channels <= 8 && sampleRate >= MIN_RATE && sampleRate <= MAX_RATE;
  if (!known?.bits.includes(bits) || !isUsual) throw refused;
  return { sampleRate, channels, encoding: known.encoding, bits };
}

/** The mean of the channels, as samples of 16 bits. @param audio whole frames */
export function toMono(audio: Buffer, format: WavAudio): Int16Array {
  const { channels } = format;
  const samples = format.encoding === 'mulaw' ? decodeMulaw(audio) : toSixteenBits(audio, format);
  return Int16Array.from({ length: Math.floor(samples.length / channels) }, (_, frame) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) sum += samples[frame * channels + channel] ?? 0;
    return Math.round(sum / channels);
  });
}

function toSixteenBits(audio: Buffer, { encoding, bits }: WavAudio): Int16Array {
  const bytes = bits / 8;
  return Int16Array.from({ length: Math.floor(audio.length / bytes) }, (_, index) => {
    const at = index * bytes;
    // 8 bits have no sign. Of more than 16 the upper ones count.
    if (bits === 8) return ((audio[at] ?? 0) - 128) * 256;
    if (encoding === 'integer') return audio.readInt16LE(at + bytes - 2);
    return Math.max(-32_768, Math.min(32_767, Math.round(audio.readFloatLE(at) * 32_768)));
  });
}
