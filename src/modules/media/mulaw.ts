/**
 * µ-law (ITU-T G.711), the encoding of telephone audio. Written here because the rule is fixed and small, and the
 * packages that offer it have had no new version for years.
 */

/** A byte of silence. */
export const MULAW_SILENCE = 0xff;

const BIAS = 0x84;
/** Louder samples would not fit when the bias is added. */
const MAX_SAMPLE = 32_635;

const DECODED = Int16Array.from({ length: 256 }, (_, byte) => decode(byte));

/** Signed 16-bit samples of the same rate. */
export function decodeMulaw(audio: Uint8Array): Int16Array {
  const samples = new Int16Array(audio.length);
  // A loop: `from` with a function allocates an object for each sample, most of the garbage of a call.
  for (let index = 0; index < audio.length; index += 1) samples[index] = DECODED[audio[index] ?? 0] ?? 0;
  return samples;
}

/** @param samples signed 16-bit */
export function encodeMulaw(samples: Int16Array): Buffer {
  const audio = Buffer.alloc(samples.length);
  samples.forEach((sample, index) => (audio[index] = encode(sample)));
  return audio;
}

function decode(byte: number): number {
  const bits = ~byte & 0xff;
  const magnitude = (((bits & 0x0f) << 3) + BIAS) << ((bits & 0x70) >> 4);
  return bits & 0x80 ? BIAS - magnitude : magnitude - BIAS;
}

function encode(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), MAX_SAMPLE) + BIAS;
  const exponent = 24 - Math.clz32(magnitude);
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}
