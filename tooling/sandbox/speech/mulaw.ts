/** µ-law (ITU-T G.711): the carrier's own copy, independent of the service's faults. */

const BIAS = 0x84;
const LOUDEST = 32_768;

function sampleOf(byte: number): number {
  const bits = ~byte & 0xff;
  const magnitude = (((bits & 0x0f) << 3) + BIAS) << ((bits & 0x70) >> 4);
  return bits & 0x80 ? BIAS - magnitude : magnitude - BIAS;
}

const SAMPLES = Int16Array.from({ length: 256 }, (_, byte) => sampleOf(byte));
/** Of the two zeros the later one. */
const BYTES = new Map([...SAMPLES].map((sample, byte) => [sample + 0, byte]));
/** The byte with the nearest sample, for each sample of 16 bits. */
const NEAREST = nearestBytes();

/** Signed 16-bit samples. */
export const decodeMulaw = (audio: Uint8Array): Int16Array =>
  Int16Array.from(audio, (byte) => SAMPLES[byte] ?? 0);

/** The bytes whose samples are nearest. */
export const encodeMulaw = (samples: Int16Array): Buffer =>
  Buffer.from(Uint8Array.from(samples, (sample) => NEAREST[sample + LOUDEST] ?? 0));

/** The bytes of these samples; null when some samples are no decoded µ-law. */
export function mulawOf(samples: Int16Array): Buffer | null {
  const audio = Buffer.alloc(samples.length);
  for (const [index, sample] of samples.entries()) {
    const byte = BYTES.get(sample);
    if (byte === undefined) return null;
    audio[index] = byte;
  }
  return audio;
}

function nearestBytes(): Uint8Array {
  const rising = [...BYTES].sort(([one], [other]) => one - other);
  const nearest = new Uint8Array(2 * LOUDEST);
  let at = 0;
  for (let sample = -LOUDEST; sample < LOUDEST; sample += 1) {
    const next = rising[at + 1];
    if (next && next[0] - sample < sample - (rising[at]?.[0] ?? 0)) at += 1;
    nearest[sample + LOUDEST] = rising[at]?.[1] ?? 0;
  }
  return nearest;
}
