import { decodeMulaw } from '#src/modules/media/mulaw.js';
import { SpeechError } from '../speech-error.js';

export interface WavFormat {
  sampleRate: number;
  /** 1 to 8. */
  channels: number;
  encoding: 'integer' | 'float' | 'mulaw';
  /** Of one sample of one channel. */
  bits: number;
  /** Where the samples begin. */
  start: number;
  /** Bytes of samples; Infinity for a header without a length. */
  length: number;
}

/** Maximum of a header with its lists of names and dates. */
const MAX_HEADER_BYTES = 64 * 1024;
const CHUNK_HEADER_BYTES = 8;
const FIRST_CHUNK_OFFSET = 12;
const FORMAT_BYTES = 16;
/** `WAVE_FORMAT_EXTENSIBLE`: the encoding is in the first bytes of the sub-format. */
const EXTENSIBLE = 0xfffe;
const SUB_FORMAT_OFFSET = 24;
/** Placeholders of streaming servers for the length: 0, all bits or the largest signed number. */
const UNKNOWN_LENGTHS = [0, 0xffffffff, 0x7fffffff];
const MIN_RATE = 8_000;
const MAX_RATE = 192_000;

const ENCODINGS: Readonly<Record<number, { encoding: WavFormat['encoding']; bits: readonly number[] }>> = {
  1: { encoding: 'integer', bits: [8, 16, 24, 32] },
  3: { encoding: 'float', bits: [32] },
  7: { encoding: 'mulaw', bits: [8] },
};

/**
 * Reads the header at the beginning of a WAV file.
 *
 * @returns null while it is not complete
 * @throws SpeechError for an unsupported encoding, and without samples in the first 64 KiB
 */
export function readWavHeader(file: Buffer, path: string): WavFormat | null {
  let format: Omit<WavFormat, 'start' | 'length'> | null = null;
  for (let at = FIRST_CHUNK_OFFSET; at + CHUNK_HEADER_BYTES <= file.length;) {
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
    // Chunks begin at even offsets.
    at = start + length + (length % 2);
    if (at > MAX_HEADER_BYTES) break;
  }
  if (file.length > MAX_HEADER_BYTES)
    throw new SpeechError(`${path} answers with a WAV file without audio`, false);
  return null;
}

function readFormat(chunk: Buffer, path: string): Omit<WavFormat, 'start' | 'length'> {
  const refused = new SpeechError(`${path} answers with a WAV file whose format is not known`, false);
  if (chunk.length < FORMAT_BYTES) throw refused;
  const formatTag = chunk.readUInt16LE(0);
  const isExtensible = formatTag === EXTENSIBLE && chunk.length >= SUB_FORMAT_OFFSET + 2;
  const known = ENCODINGS[isExtensible ? chunk.readUInt16LE(SUB_FORMAT_OFFSET) : formatTag];
  const channels = chunk.readUInt16LE(2);
  const sampleRate = chunk.readUInt32LE(4);
  const bits = chunk.readUInt16LE(14);
  const isSupported = channels >= 1 && channels <= 8 && sampleRate >= MIN_RATE && sampleRate <= MAX_RATE;
  if (!known?.bits.includes(bits) || !isSupported) throw refused;
  return { sampleRate, channels, encoding: known.encoding, bits };
}

/** The mean of the channels, as samples of 16 bits. @param audio whole frames */
export function toMono(audio: Buffer, format: WavFormat): Int16Array {
  const { channels } = format;
  const samples = format.encoding === 'mulaw' ? decodeMulaw(audio) : to16BitSamples(audio, format);
  return Int16Array.from({ length: Math.floor(samples.length / channels) }, (_, frame) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) sum += samples[frame * channels + channel] ?? 0;
    return Math.round(sum / channels);
  });
}

function to16BitSamples(audio: Buffer, { encoding, bits }: WavFormat): Int16Array {
  const bytes = bits / 8;
  return Int16Array.from({ length: Math.floor(audio.length / bytes) }, (_, index) => {
    const at = index * bytes;
    // 8 bits have no sign. Of more than 16 the upper ones count.
    if (bits === 8) return ((audio[at] ?? 0) - 128) * 256;
    if (encoding === 'integer') return audio.readInt16LE(at + bytes - 2);
    return Math.max(-32_768, Math.min(32_767, Math.round(audio.readFloatLE(at) * 32_768)));
  });
}
