/**
 * Background sounds for tests and benchmarks of voice detection, synthesised and the same in each run: the pseudo
 * random numbers have a seed. Babble and television overlay speech: recordings where there are some, else
 * `syntheticVoice`.
 */
import { seededRandom } from './seeded-random.js';
import { syntheticVoice } from './synthetic-voice.js';

export const NOISES = ['white', 'car', 'babble', 'music', 'television', 'clicks'] as const;
export type Noise = (typeof NOISES)[number];

export interface NoiseOptions {
  sampleRate: number;
  samples: number;
  seed?: number;
  /** Speech for babble and television, at the sample rate. */
  voices?: readonly Int16Array[];
}

const FULL_SCALE = 32_767;
const BABBLE_VOICES = 6;
/** Voice over music, as in a film. */
const TELEVISION_MUSIC = 0.5;
/** Cut-off frequency of a car's rumble, with two poles. */
const CAR_HZ = 250;
const CHORD_SECONDS = 0.6;
/** Triads, in semitones from A3. */
const CHORDS = [
  [0, 4, 7],
  [5, 9, 12],
  [7, 11, 14],
  [-3, 0, 4],
];
const A3_HZ = 220;
/** Share of each harmonic of a note. */
const HARMONICS = [1, 0.5, 0.3, 0.15];
const CLICKS_PER_SECOND = 1.5;
const CLICK_MS = 4;

/** @returns samples whose root mean square is 1; of clicks, within the clicks */
export function backgroundSound(noise: Noise, options: NoiseOptions): Float32Array {
  const sound = SYNTHESIZERS[noise](options);
  const level = rms(noise === 'clicks' ? sound.filter((sample) => sample !== 0) : sound);
  return level === 0 ? sound : sound.map((sample) => sample / level);
}

/**
 * Speech with a background.
 *
 * @param speechRms of the speech without its pauses
 */
export function mixAtSnr(
  speech: Int16Array,
  sound: Float32Array,
  snrDb: number,
  speechRms = activeRms(speech),
): Int16Array {
  const level = speechRms / 10 ** (snrDb / 20);
  return speech.map((sample, at) => clip(sample + level * (sound[at] ?? 0)));
}

/** Root mean square of the samples, without the pauses: blocks 30 dB below the loudest one. */
export function activeRms(samples: Int16Array, block = 160): number {
  const powers: number[] = [];
  for (let at = 0; at + block <= samples.length; at += block)
    powers.push(rms(samples.subarray(at, at + block)) ** 2);
  const loudest = powers.reduce((most, power) => Math.max(most, power), 0);
  const active = powers.filter((power) => power > loudest / 1_000);
  return Math.sqrt(active.reduce((sum, power) => sum + power, 0) / Math.max(1, active.length));
}

export const clip = (sample: number): number =>
  Math.max(-FULL_SCALE - 1, Math.min(FULL_SCALE, Math.round(sample)));

export const rms = (samples: ArrayLike<number> & Iterable<number>): number => {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
};

const SYNTHESIZERS: Record<Noise, (options: NoiseOptions) => Float32Array> = {
  white: ({ samples, seed = 1 }) => {
    const random = seededRandom(seed);
    return Float32Array.from({ length: samples }, random);
  },
  car: ({ sampleRate, samples, seed = 1 }) => {
    const random = seededRandom(seed);
    const smoothing = 1 - Math.exp((-2 * Math.PI * CAR_HZ) / sampleRate);
    let [first, second] = [0, 0];
    return Float32Array.from({ length: samples }, () => {
      first += smoothing * (random() - first);
      return (second += smoothing * (first - second));
    });
  },
  babble: (options) => {
    const sum = new Float32Array(options.samples);
    for (let voice = 0; voice < BABBLE_VOICES; voice += 1)
      addInto(sum, endlessSpeech(options, voice, BABBLE_VOICES));
    return sum;
  },
  music,
  television: (options) => {
    const speech = endlessSpeech(options, 0, 1);
    addInto(speech, music(options), TELEVISION_MUSIC);
    return speech;
  },
  clicks: ({ sampleRate, samples, seed = 1 }) => {
    const random = seededRandom(seed);
    const sound = new Float32Array(samples);
    const length = Math.round((sampleRate * CLICK_MS) / 1000);
    const between = sampleRate / CLICKS_PER_SECOND;
    for (let at = between / 2; at < samples; at += between * (1 + random() / 2)) {
      const start = Math.floor(at);
      for (let index = 0; index < length && start + index < samples; index += 1)
        sound[start + index] = random() * (1 - index / length);
    }
    return sound;
  },
};

function music({ sampleRate, samples, seed = 1 }: NoiseOptions): Float32Array {
  const random = seededRandom(seed);
  const chordLength = Math.round(sampleRate * CHORD_SECONDS);
  const sound = new Float32Array(samples);
  for (let start = 0; start < samples; start += chordLength) {
    const chord = CHORDS[Math.floor(((random() + 1) / 2) * CHORDS.length) % CHORDS.length] ?? [];
    const steps = chord.flatMap((semitone) =>
      HARMONICS.map((share, index) => ({
        share,
        step: (2 * Math.PI * A3_HZ * 2 ** (semitone / 12) * (index + 1)) / sampleRate,
      })),
    );
    for (let at = 0; at < chordLength && start + at < samples; at += 1) {
      const envelope = Math.exp((-2 * at) / chordLength) * Math.min(1, at / 80);
      sound[start + at] =
        envelope * steps.reduce((sum, { share, step }) => sum + share * Math.sin(step * at), 0);
    }
  }
  return sound;
}

/** Utterance after utterance, each as loud as the others; the first begins in its middle. */
function endlessSpeech(options: NoiseOptions, voice: number, of: number): Float32Array {
  const { sampleRate, samples, seed = 1 } = options;
  const random = seededRandom(seed * 31 + voice);
  const own = (options.voices ?? []).filter((_, index) => index % of === voice % of);
  const sound = new Float32Array(samples);
  for (let at = -sampleRate, utterance = 0; at < samples; utterance += 1) {
    const speech =
      own.length > 0
        ? own[Math.floor(((random() + 1) / 2) * own.length) % own.length]
        : syntheticVoice({ sampleRate, seconds: 2, seed: seed * 101 + voice * 17 + utterance });
    const level = activeRms(speech ?? new Int16Array(0)) || 1;
    speech?.forEach((sample, index) => {
      if (at + index >= 0 && at + index < samples) sound[at + index] = sample / level;
    });
    at += (speech?.length ?? 0) + Math.round(sampleRate * 0.2 * (1 + random()));
  }
  return sound;
}

function addInto(sum: Float32Array, sound: Float32Array, share = 1): void {
  sound.forEach((sample, at) => (sum[at] = (sum[at] ?? 0) + share * sample));
}
