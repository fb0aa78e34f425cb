/**
 * A synthesised voice without words: pulses of the glottis through the resonances of vowels, in syllables. A detector
 * of voices takes it for a person, which it does not for tones.
 */
import { seededRandom } from './seeded-random.js';

export interface SyntheticVoiceOptions {
  sampleRate: number;
  seconds: number;
  seed?: number;
  /** Fundamental frequency, in Hz; by default by the seed, 95–230. */
  pitch?: number;
  /** Root mean square, of 32,768. */
  level?: number;
}

/** Resonances of vowels (a, e, i, o, u), in Hz. */
const VOWELS = [
  [730, 1_090, 2_440],
  [530, 1_840, 2_480],
  [270, 2_290, 3_010],
  [570, 840, 2_410],
  [300, 870, 2_240],
];
const BANDWIDTHS = [80, 100, 140];
const SYLLABLE_SECONDS = 0.22;
/** Share of a syllable that is a consonant: quieter, and noise. */
const CONSONANT = 0.25;
const DEFAULT_LEVEL = 3_000;

export function syntheticVoice({
  sampleRate,
  seconds,
  seed = 1,
  pitch = 95 + ((seed * 37) % 136),
  level = DEFAULT_LEVEL,
}: SyntheticVoiceOptions): Int16Array {
  const random = seededRandom(seed);
  const samples = Math.round(sampleRate * seconds);
  const syllable = Math.round(sampleRate * SYLLABLE_SECONDS);
  const filters = BANDWIDTHS.map((bandwidth) => new Resonator(sampleRate, bandwidth));
  const sound = new Float32Array(samples);
  let phase = 0;
  let vowel = VOWELS[0] ?? [];
  for (let at = 0; at < samples; at += 1) {
    const position = (at % syllable) / syllable;
    if (at % syllable === 0)
      vowel = VOWELS[Math.floor(((random() + 1) / 2) * VOWELS.length) % VOWELS.length] ?? [];
    const isConsonant = position < CONSONANT;
    // The pitch falls over a sentence, and trembles.
    phase += (pitch * (1.1 - (0.2 * at) / samples + 0.02 * Math.sin((40 * at) / sampleRate))) / sampleRate;
    const pulse = phase >= 1 ? 1 : 0;
    phase %= 1;
    const source = isConsonant ? 0.03 * random() + 0.2 * pulse : pulse + 0.01 * random();
    const envelope = isConsonant ? 0.4 : Math.sin(Math.PI * Math.min(1, (1.15 - position) / (1 - CONSONANT)));
    sound[at] =
      Math.abs(envelope) *
      filters.reduce((sum, filter, index) => sum + filter.push(source, vowel[index] ?? 500) / (index + 1), 0);
  }
  const power = sound.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples);
  const scale = power === 0 ? 0 : level / Math.sqrt(power);
  return Int16Array.from(sound, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * scale))));
}

/** A resonance with two poles. */
class Resonator {
  private last = 0;
  private before = 0;
  private readonly radius: number;

  constructor(
    private readonly sampleRate: number,
    bandwidth: number,
  ) {
    this.radius = Math.exp((-Math.PI * bandwidth) / sampleRate);
  }

  push(sample: number, hertz: number): number {
    const turn = 2 * this.radius * Math.cos((2 * Math.PI * hertz) / this.sampleRate);
    const output = sample + turn * this.last - this.radius ** 2 * this.before;
    [this.before, this.last] = [this.last, output];
    return output;
  }
}
