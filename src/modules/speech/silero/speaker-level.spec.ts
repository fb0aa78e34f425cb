import { describe, expect, it } from '@jest/globals';
import { activeRms, backgroundSound, type Noise } from '../../../../tooling/sandbox/speech/noise.js';
import { syntheticVoice } from '../../../../tooling/sandbox/speech/synthetic-voice.js';
import { loudnessOf } from '../audio/frame-splitter.js';
import { WINDOW_MS, WINDOW_SAMPLES } from './silero-model.js';
import { SpeakerLevel } from './speaker-level.js';

const RATE = 8_000;
const WINDOW = WINDOW_SAMPLES[RATE];
const UTTERANCE_MS = 1_000;
const PAUSE_MS = 2_000;
const PERIOD_MS = PAUSE_MS + UTTERANCE_MS;
/** Root mean square of a voice at 0 dB. */
const LEVEL = 2_600;

interface Background {
  sound: Noise;
  /** Below 0 dB of the customer. */
  below: number;
}

const decibels = (value: number): number => 10 ** (value / 20);

/**
 * Utterances of the customer, one per period and after a pause, whose loudness is given in decibels, over a
 * background. A model that makes no mistake tells where there is a voice.
 *
 * @returns for each utterance the shares of it, and of the second half of the pause before it, that are their voice, and
 * the milliseconds of voice after it
 */
function hear(
  gains: readonly number[],
  background?: Background,
): { utterances: number[]; pauses: number[]; tailsMs: number[] } {
  const samples = (gains.length * PERIOD_MS * RATE) / 1_000;
  const audio = background
    ? backgroundSound(background.sound, { sampleRate: RATE, samples }).map(
        (sample) => sample * LEVEL * decibels(-background.below),
      )
    : new Float32Array(samples);
  gains.forEach((gain, index) => {
    const voice = syntheticVoice({ sampleRate: RATE, seconds: UTTERANCE_MS / 1_000, seed: index + 1 });
    const scale = (LEVEL * decibels(gain)) / activeRms(voice);
    const from = ((index * PERIOD_MS + PAUSE_MS) * RATE) / 1_000;
    voice.forEach((sample, at) => (audio[from + at] = (audio[from + at] ?? 0) + sample * scale));
  });
  const speaker = new SpeakerLevel();
  const utterances: boolean[][] = gains.map(() => []);
  const pauses: boolean[][] = gains.map(() => []);
  const tailsMs = gains.slice(1).map(() => 0);
  for (let at = 0; at + WINDOW <= samples; at += WINDOW) {
    const ms = (at / RATE) * 1_000;
    const [period, inPeriod] = [Math.floor(ms / PERIOD_MS), ms % PERIOD_MS];
    const isVoice = background !== undefined || inPeriod > PAUSE_MS - WINDOW_MS;
    const isHeard = speaker.accepts(
      isVoice ? 0.9 : 0.02,
      loudnessOf(Int16Array.from(audio.subarray(at, at + WINDOW))),
    );
    if (inPeriod >= PAUSE_MS) utterances[period]?.push(isHeard);
    else if (inPeriod >= PAUSE_MS / 2) pauses[period]?.push(isHeard);
    else if (isHeard && period > 0) tailsMs[period - 1] = inPeriod + WINDOW_MS;
  }
  return { utterances: utterances.map(shareOf), pauses: pauses.map(shareOf), tailsMs };
}

const shareOf = (values: readonly boolean[]): number =>
  values.filter((isHeard) => isHeard).length / values.length;

/** @returns a function that takes a sound of some milliseconds, and returns the share of it that is their voice */
function listening(): (ms: number, probability: number, gain: number) => number {
  const speaker = new SpeakerLevel();
  return (ms, probability, gain) =>
    shareOf(
      Array.from({ length: ms / WINDOW_MS }, () => speaker.accepts(probability, LEVEL * decibels(gain))),
    );
}

describe('SpeakerLevel', () => {
  it.each([
    ['a customer whose loudness varies', [6, -6, 3, -6, 0, 6, -6, -3]],
    ['a customer who shouts and then speaks quietly', [6, 6, -4, -4]],
    ['a quieter person who takes the telephone', [0, 0, 0, -10, -10, -10]],
    [
      'a customer who becomes quieter by 20 dB during the call',
      Array.from({ length: 41 }, (_, index) => -index / 2),
    ],
  ])('hears %s', (_, gains) => {
    for (const heard of hear(gains).utterances) expect(heard).toBeGreaterThanOrEqual(0.55);
  });

  it.each<[Noise, number]>([
    ['television', 10],
    ['television', 20],
    ['babble', 10],
  ])('distinguishes the customer from %s since the start of the call, %i dB below them', (sound, below) => {
    const { utterances, pauses } = hear([0, 0, 0, 0], { sound, below });
    for (const heard of utterances) expect(heard).toBeGreaterThanOrEqual(0.5);
    for (const heard of pauses) expect(heard).toBeLessThanOrEqual(0.1);
  });

  it.each<Noise>(['television', 'babble'])(
    'hears the end of what the customer says in front of %s',
    (sound) => {
      const { tailsMs } = hear([0, 0, 0, 0, 0, 0, 0, 0], { sound, below: 10 });
      expect(Math.max(...tailsMs)).toBeLessThanOrEqual(200);
    },
  );

  it.each([
    ['is not', 960, 0],
    ['is', 1_920, 1],
  ])('%s the customer, as a voice 12 dB below theirs that begins after %i ms', (_is, silentMs, share) => {
    const hears = listening();
    hears(640, 0.02, -60);
    hears(960, 0.9, 0);
    hears(silentMs, 0.02, -60);
    expect(Math.round(hears(320, 0.9, -12))).toBe(share);
  });

  it('hears the end of what the customer says in front of music that the model takes for a voice', () => {
    const hears = listening();
    hears(640, 0.02, -60);
    hears(960, 0.9, 0);
    expect(hears(1_280, 0.9, -14) * 1_280).toBeLessThanOrEqual(256);
  });

  it('hears a customer who speaks from the first moment of the call, after their first pause', () => {
    const hears = listening();
    expect(hears(960, 0.9, 0)).toBeLessThan(0.1);
    hears(960, 0.02, -34);
    expect(hears(960, 0.9, 0)).toBeGreaterThan(0.8);
  });

  it('distinguishes a customer whose loudness varies from a television', () => {
    const { utterances, pauses } = hear([2, -2, 3, 0, -2, 3, -1, 2], { sound: 'television', below: 12 });
    for (const heard of utterances) expect(heard).toBeGreaterThanOrEqual(0.5);
    for (const heard of pauses.slice(1)) expect(heard).toBeLessThanOrEqual(0.1);
  });
});
