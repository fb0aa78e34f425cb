/** @jest-environment ./test/support/native-arrays-environment.mjs */
import { Logger } from '@nestjs/common';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { SileroModel } from './silero-model.js';
import { SileroVoiceDetectorService } from './silero-voice-detector.service.js';

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

let model: SileroModel;
beforeAll(async () => void (model = await SileroModel.load()));

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
