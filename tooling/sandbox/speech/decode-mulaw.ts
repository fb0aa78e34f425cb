const BIAS = 0x84;

/** Signed 16-bit samples of µ-law (ITU-T G.711): the carrier's own copy, independent of the service's faults. */
export const decodeMulaw = (audio: Uint8Array): Int16Array =>
  Int16Array.from(audio, (byte) => SAMPLES[byte] ?? 0);

function sampleOf(byte: number): number {
  const bits = ~byte & 0xff;
  const magnitude = (((bits & 0x0f) << 3) + BIAS) << ((bits & 0x70) >> 4);
  return bits & 0x80 ? BIAS - magnitude : magnitude - BIAS;
}

const SAMPLES = Int16Array.from({ length: 256 }, (_, byte) => sampleOf(byte));
/** Of the two zeros the later one. */
const BYTES = new Map([...SAMPLES].map((sample, byte) => [sample + 0, byte]));

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
