/** @jest-environment ./test/support/native-arrays-environment.mjs */
import { Logger } from '@nestjs/common';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
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
const settings = (voiceDetection: 'model' | 'energy') => ({ speech: { voiceDetection } }) as RuntimeSettings;

class DetectorOf extends SileroVoiceDetectorService {
  constructor(
    private readonly model: () => Promise<SileroModel>,
    voiceDetection: 'model' | 'energy' = 'model',
  ) {
    super(settings(voiceDetection));
  }

  protected override loadModel(): Promise<SileroModel> {
    return this.model();
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
  const turns = new VoiceTurnDetector(600, {
    speechStarted: () => found.push(heardMs),
    speechContinued: () => undefined,
    speechEnded: () => undefined,
  });
  const activity = new DetectorOf(async () => model).open(rate, (isVoice, ms) => {
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
    ['babble', 20],
    ['babble', 18],
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
    expect(score(found, 0).words).toBe(8);
  });
});

describe('SileroVoiceDetectorService without the model', () => {
  const RATE = 24_000;
  const tone = (ms: number): Int16Array =>
    Int16Array.from(
      { length: (RATE * ms) / 1000 },
      (_, at) => 8_000 * Math.sin((2 * Math.PI * 300 * at) / RATE),
    );
  let warn: jest.Spied<typeof Logger.prototype.warn>;
  let frames: [boolean, number][];
  const onFrame = (isVoice: boolean, ms: number): void => void frames.push([isVoice, ms]);

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    frames = [];
  });
  afterEach(() => warn.mockRestore());

  /** Pushes until a frame of this length is reported. */
  async function untilFrameOf(ms: number, activity: { push(samples: Int16Array): void }): Promise<void> {
    for (let pushes = 0; pushes < 2_000 && !frames.some(([, length]) => length === ms); pushes += 1) {
      activity.push(tone(20));
      await nextTurn();
    }
    expect(frames.some(([, length]) => length === ms)).toBe(true);
  }

  it('uses energy until the model is loaded, and then the model', async () => {
    let resolveLoading: (loaded: SileroModel) => void = () => undefined;
    const loading = new Promise<SileroModel>((resolve) => (resolveLoading = resolve));
    const activity = new DetectorOf(() => loading).open(RATE, onFrame);
    activity.push(tone(20));
    await nextTurn();
    activity.push(tone(20));
    expect(frames).toEqual([
      [true, 20],
      [true, 20],
    ]);
    resolveLoading(model);
    await untilFrameOf(32, activity);
    activity.close();
  });

  it('uses energy when the packages are not installed, and reports it once', async () => {
    const detector = new DetectorOf(async () => Promise.reject(new Error('not installed')));
    for (const activity of [detector.open(RATE, onFrame), detector.open(RATE, onFrame)]) {
      await nextTurn();
      activity.push(tone(40));
      activity.close();
    }
    expect(frames).toEqual(Array.from({ length: 4 }, () => [true, 20]));
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('loads no package when energy is configured', () => {
    const load = jest.fn(async () => model);
    const activity = new DetectorOf(load, 'energy').open(RATE, onFrame);
    activity.push(tone(20));
    expect(frames).toEqual([[true, 20]]);
    expect(load).not.toHaveBeenCalled();
  });

  it('continues with energy when the model fails', async () => {
    let fails = false;
    const failing = {
      classify: async () => {
        if (fails) throw new Error('no memory');
        return 0.9;
      },
    } as unknown as SileroModel;
    const activity = new DetectorOf(async () => failing).open(RATE, onFrame);
    await untilFrameOf(32, activity);
    fails = true;
    frames = [];
    await untilFrameOf(20, activity);
    activity.close();
  });

  it('reports nothing after the call has ended', async () => {
    const activity = new DetectorOf(async () => model).open(RATE, onFrame);
    await untilFrameOf(32, activity);
    frames = [];
    activity.push(tone(200));
    activity.close();
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(frames).toEqual([]);
  });
});
