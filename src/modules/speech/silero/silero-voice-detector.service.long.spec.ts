/** @jest-environment ./test/support/native-arrays-environment.mjs */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { backgroundSound, mixAtSnr, type Noise } from '../../../../tooling/sandbox/speech/noise.js';
import { syntheticVoice } from '../../../../tooling/sandbox/speech/synthetic-voice.js';
import { VoiceTurnDetector } from '../voice-activity.js';
import { SileroModel } from './silero-model.js';
import { SileroVoiceDetectorService } from './silero-voice-detector.service.js';

const PHONE = 8_000;
const BROWSER = 24_000;
/** Root mean square of speech. */
const LEVEL = 2_600;

class DetectorWithModel extends SileroVoiceDetectorService {
  constructor(private readonly model: SileroModel) {
    super({ speech: { voiceDetection: 'model' } } as RuntimeSettings);
  }

  protected override async loadModel(): Promise<SileroModel> {
    return this.model;
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const silence = (ms: number, rate: number): Int16Array => new Int16Array((rate * ms) / 1000);
const join = (pieces: readonly Int16Array[]): Int16Array =>
  Int16Array.from(pieces.flatMap((piece) => [...piece]));

/** Short words with pauses: each begins at a multiple of 2 s. */
const words = (count: number, rate: number, wordMs = 400): Int16Array =>
  join(
    Array.from({ length: count }, (_, index) => [
      syntheticVoice({ sampleRate: rate, seconds: wordMs / 1000, seed: index + 1, level: LEVEL }),
      silence(2_000 - wordMs, rate),
    ]).flat(),
  );

/** The background begins 2 s before the speech. */
const withBackground = (speech: Int16Array, noise: Noise, snrDb: number, rate = PHONE): Int16Array => {
  const all = join([silence(2_000, rate), speech]);
  return mixAtSnr(all, backgroundSound(noise, { sampleRate: rate, samples: all.length }), snrDb, LEVEL);
};

const background = (noise: Noise, level: number, seconds: number): Int16Array => {
  const samples = PHONE * seconds;
  return Int16Array.from(backgroundSound(noise, { sampleRate: PHONE, samples }), (sample) => sample * level);
};

let model: SileroModel;
beforeAll(async () => void (model = await SileroModel.load()));

/** When voices begin, in milliseconds of the audio. */
async function begins(samples: Int16Array, rate = PHONE): Promise<number[]> {
  const found: number[] = [];
  let heardMs = 0;
  const turns = new VoiceTurnDetector(() => 600, {
    speechStarted: () => found.push(heardMs),
    speechContinued: () => undefined,
    speechEnded: () => undefined,
  });
  const activity = new DetectorWithModel(model).open(rate, (isVoice, ms) => {
    heardMs += ms;
    turns.addFrame(isVoice, ms);
  });
  // Connects without audio.
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  for (let at = 0; at < samples.length; at += rate / 50) activity.push(samples.subarray(at, at + rate / 50));
  const lengthMs = (samples.length / rate) * 1000;
  while (heardMs < lengthMs - 64) await nextTurn();
  activity.close();
  return found;
}

/** The words of `words` that have a begin within their first 350 ms, and the begins elsewhere. */
function score(found: readonly number[], firstMs: number): { words: number; elsewhere: number } {
  const isOnset = (ms: number): boolean => ms >= firstMs - 32 && (ms - firstMs + 2_000) % 2_000 <= 350;
  return { words: found.filter(isOnset).length, elsewhere: found.filter((ms) => !isOnset(ms)).length };
}

describe('SileroVoiceDetectorService with the model', () => {
  it.each([
    ['a telephone', PHONE],
    ['a browser', BROWSER],
  ])('finds short words on the line of %s', async (_, rate) => {
    const found = await begins(join([silence(2_000, rate), words(8, rate)]), rate);
    expect(score(found, 2_000)).toEqual({ words: 8, elsewhere: 0 });
  });

  it.each<[Noise, number]>([
    ['car', 20],
    ['car', 10],
    ['white', 10],
    ['white', 0],
    ['music', 20],
    ['clicks', 0],
  ])('finds short words in %s noise at %i dB', async (noise, snrDb) => {
    const found = await begins(withBackground(words(8, PHONE), noise, snrDb));
    expect(score(found, 2_000)).toEqual({ words: 8, elsewhere: 0 });
  });

  it.each<[Noise, number]>([
    ['white', 400],
    ['white', 1_500],
    ['car', 400],
    ['car', 1_500],
    ['music', 1_500],
    ['clicks', 4_000],
  ])('finds no voice in %s noise of level %i', async (noise, level) => {
    expect(await begins(background(noise, level, 10))).toEqual([]);
  });

  it.each<[Noise, number]>([
    ['television', 20],
    ['television', 10],
    ['babble', 20],
    ['babble', 18],
    ['babble', 10],
  ])('does not take voices behind the customer for theirs: %s at %i dB', async (noise, snrDb) => {
    const found = await begins(withBackground(words(10, PHONE), noise, snrDb));
    // Before the customer's first words it cannot be known that somebody else speaks.
    const { words: heard, elsewhere } = score(
      found.filter((ms) => ms > 5_900),
      2_000,
    );
    expect(heard).toBeGreaterThanOrEqual(7);
    expect(elsewhere).toBeLessThanOrEqual(1);
  });

  it('finds a person who speaks more quietly than the one before, on a quiet line', async () => {
    const quiet = words(4, PHONE).map((sample) => sample / 5);
    const found = await begins(join([words(4, PHONE), quiet]));
    // The first word is in the first half second of the call, which is taken for the background.
    expect(score(found, 0).words).toBe(7);
  });
});
