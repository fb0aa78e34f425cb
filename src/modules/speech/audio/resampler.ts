const FULL_SCALE = 32_768;

/**
 * Changes the sample rate of streamed audio; it keeps the end of each piece, so that the next one starts without a
 * click. Holds about 2 MB, which `close()` frees.
 */
export class Resampler {
  private constructor(
    private readonly converter: { full(data: Float32Array): Float32Array; destroy(): void } | null,
  ) {}

  static async create(from: number, to: number): Promise<Resampler> {
    if (from === to) return new Resampler(null);
    // Two megabytes of code, which only calls over audio use.
    const { default: samplerate } = await import('@alexanderolsen/libsamplerate-js');
    const converterType = samplerate.ConverterType.SRC_SINC_FASTEST;
    return new Resampler(await samplerate.create(1, from, to, { converterType }));
  }

  push(samples: Int16Array): Int16Array {
    if (!this.converter || samples.length === 0) return samples;
    // Loops: `from` with a function takes as long as the conversion itself.
    const input = new Float32Array(samples.length);
    for (let at = 0; at < samples.length; at += 1) input[at] = (samples[at] ?? 0) / FULL_SCALE;
    const converted = this.converter.full(input);
    const output = new Int16Array(converted.length);
    for (let at = 0; at < converted.length; at += 1) {
      const sample = Math.round((converted[at] ?? 0) * FULL_SCALE);
      output[at] = Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, sample));
    }
    return output;
  }

  close(): void {
    this.converter?.destroy();
  }
}
