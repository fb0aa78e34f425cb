/**
 * Kinds of background sound, made of noise: `cutoff` of the low-pass filter in hertz, `swell` the frequency in hertz of
 * its volume changes, `depth` 0–1 their size, `level` the volume relative to the others.
 */
const KINDS = {
  office: { cutoff: 350, swell: 0.2, depth: 0.3, level: 0.7 },
  'call-center': { cutoff: 1_100, swell: 3.5, depth: 0.5, level: 1 },
  cafe: { cutoff: 800, swell: 2.3, depth: 0.6, level: 1 },
  street: { cutoff: 220, swell: 0.15, depth: 0.8, level: 1 },
  home: { cutoff: 150, swell: 0.1, depth: 0.2, level: 0.4 },
};
/** Root mean square at full volume, of 32,768: some 25 dB below speech of full range. */
const FULL_VOLUME = 1_800;
const PERIOD = 2 ** 32;

/** An endless background sound. */
export class AmbientSoundGenerator {
  private seed = 1;
  private filtered = 0;
  private position = 0;
  private readonly smoothing: number;
  private readonly scale: number;

  private constructor(
    private readonly kind: (typeof KINDS)[keyof typeof KINDS],
    volume: number,
    private readonly sampleRate: number,
  ) {
    this.smoothing = 1 - Math.exp((-2 * Math.PI * kind.cutoff) / sampleRate);
    // Smoothing leaves this part of the loudness of noise between -1 and 1, which is 1 / √3.
    const left = Math.sqrt(this.smoothing / (2 - this.smoothing) / 3);
    this.scale = (FULL_VOLUME * volume * kind.level) / left;
  }

  /** @param kind a value of `ambient_sound`; null without sound. @param volume 0–1 */
  static create(kind: string, volume: number, sampleRate: number): AmbientSoundGenerator | null {
    const known = Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS] : null;
    return known && volume > 0 ? new AmbientSoundGenerator(known, volume, sampleRate) : null;
  }

  /** Adds the next part of the sound to samples. */
  mixInto(samples: Int16Array): Int16Array {
    return samples.map((sample) =>
      Math.max(-32_768, Math.min(32_767, Math.round(sample + this.nextSample()))),
    );
  }

  private nextSample(): number {
    // A linear congruential generator is random enough for noise, and the same in every test.
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    this.filtered += this.smoothing * ((this.seed / PERIOD) * 2 - 1 - this.filtered);
    const { swell, depth } = this.kind;
    const wave = Math.sin((2 * Math.PI * swell * this.position++) / this.sampleRate);
    return this.filtered * this.scale * (1 - depth / 2 + (depth / 2) * wave);
  }
}
