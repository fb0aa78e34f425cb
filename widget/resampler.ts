/** Zero crossings of the filter on each side, and places between two samples for which it is computed. */
const CROSSINGS = 8;
const PHASES = 64;
/** Of half the lower rate: what the filter leaves. */
const PASSED = 0.92;

/** Changes the sample rate of audio that comes in pieces, by a windowed sinc filter. */
export class Resampler {
  private readonly step: number;
  private readonly half: number;
  private readonly filters: Float32Array[] = [];
  private samples: Float32Array;
  /** Where the next sample is taken, in `samples`. */
  private at: number;

  constructor(from: number, to: number) {
    this.step = from / to;
    const cutoff = PASSED * Math.min(1, to / from);
    this.half = Math.ceil(CROSSINGS / cutoff);
    for (let phase = 0; phase <= PHASES; phase += 1)
      this.filters.push(filter(phase / PHASES, this.half, cutoff));
    this.samples = new Float32Array(this.half);
    this.at = this.half;
  }

  push(piece: Float32Array): Float32Array {
    const { half, step } = this;
    const all = new Float32Array(this.samples.length + piece.length);
    all.set(this.samples);
    all.set(piece, this.samples.length);
    const count = Math.max(0, Math.ceil((all.length - half - 1 - this.at) / step));
    const converted = new Float32Array(count);
    for (let index = 0; index < count; index += 1, this.at += step) {
      const first = Math.floor(this.at);
      const taps = this.filters[Math.round((this.at - first) * PHASES)] ?? [];
      let sum = 0;
      for (let tap = 0; tap < taps.length; tap += 1)
        sum += (taps[tap] ?? 0) * (all[first - half + 1 + tap] ?? 0);
      converted[index] = sum;
    }
    const done = Math.max(0, Math.floor(this.at) - half);
    this.samples = all.slice(done);
    this.at -= done;
    return converted;
  }
}

/** @param place between two samples, 0 to 1 */
function filter(place: number, half: number, cutoff: number): Float32Array {
  const taps = Float32Array.from({ length: 2 * half }, (_, tap) => {
    const x = tap - half + 1 - place;
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * cutoff * x) / (Math.PI * cutoff * x);
    return Math.abs(x) > half ? 0 : cutoff * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / half));
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}
