import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { SileroVoiceDetectorService } from './silero-voice-detector.service.js';
import type { VadPackage } from './silero-voice-activity.js';

const RATE = 24_000;
const settings = (voiceDetection: 'model' | 'energy') => ({ speech: { voiceDetection } }) as RuntimeSettings;
const tone = (ms: number): Int16Array =>
  Int16Array.from(
    { length: (RATE * ms) / 1000 },
    (_, at) => 8_000 * Math.sin((2 * Math.PI * 300 * at) / RATE),
  );

/** A model that says what the test says, and is there when the test lets it. */
class FakeModel {
  probability = 0.9;
  samples = 0;
  loads = 0;
  destroyed = 0;
  broken = false;
  private onFrame: (probabilities: { isSpeech: number }) => void = () => undefined;

  readonly RealTimeVAD: VadPackage['RealTimeVAD'] = {
    new: async ({ onFrameProcessed }) => {
      this.onFrame = onFrameProcessed;
      return {
        start: () => undefined,
        processAudio: async (audio) => {
          if (this.broken) throw new Error('no memory');
          this.samples += audio.length;
          this.onFrame({ isSpeech: this.probability });
        },
        destroy: async () => void (this.destroyed += 1),
      };
    },
  };
}

class DetectorOf extends SileroVoiceDetectorService {
  constructor(
    private readonly model: FakeModel | null,
    voiceDetection: 'model' | 'energy' = 'model',
  ) {
    super(settings(voiceDetection));
  }

  protected override async importPackage(): Promise<VadPackage> {
    if (!this.model) throw new Error('not installed');
    this.model.loads += 1;
    return this.model;
  }
}

let warn: jest.Spied<typeof Logger.prototype.warn>;
let frames: [boolean, number][];
const onFrame = (isVoice: boolean, ms: number): void => void frames.push([isVoice, ms]);

beforeEach(() => {
  warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  frames = [];
});
afterEach(() => warn.mockRestore());

/** Pushes until a frame of this length is told. */
async function untilFrameOf(ms: number, activity: { push(samples: Int16Array): void }): Promise<void> {
  for (let pushes = 0; pushes < 2_000 && !frames.some(([, length]) => length === ms); pushes += 1) {
    activity.push(tone(20));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('SileroVoiceDetectorService', () => {
  it('uses energy until the model is loaded, and then the model, at its sample rate', async () => {
    const model = new FakeModel();
    const activity = new DetectorOf(model).open(RATE, onFrame);
    activity.push(tone(20));
    expect(frames).toEqual([[true, 20]]);
    model.probability = 0.4;
    await untilFrameOf(32, activity);
    expect(frames.at(-1)).toEqual([false, 32]);
    activity.close();
  });

  it('uses energy when the package is not installed, and reports it once', async () => {
    const detector = new DetectorOf(null);
    for (const activity of [detector.open(RATE, onFrame), detector.open(RATE, onFrame)]) {
      await new Promise((resolve) => setImmediate(resolve));
      activity.push(tone(40));
      activity.close();
    }
    expect(frames).toEqual(Array.from({ length: 4 }, () => [true, 20]));
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('loads no package when energy is configured', async () => {
    const model = new FakeModel();
    const activity = new DetectorOf(model, 'energy').open(RATE, onFrame);
    activity.push(tone(20));
    expect([frames, model.loads]).toEqual([[[true, 20]], 0]);
  });

  it('continues with energy when the model fails', async () => {
    const model = new FakeModel();
    const activity = new DetectorOf(model).open(RATE, onFrame);
    await untilFrameOf(32, activity);
    model.broken = true;
    frames = [];
    await untilFrameOf(20, activity);
    expect(model.destroyed).toBe(1);
    activity.close();
  });

  it('releases the model when the call ends, and reports nothing more', async () => {
    const model = new FakeModel();
    const activity = new DetectorOf(model).open(RATE, onFrame);
    await untilFrameOf(32, activity);
    frames = [];
    activity.push(tone(20));
    activity.close();
    for (let turns = 0; turns < 2_000 && model.destroyed === 0; turns += 1)
      await new Promise((resolve) => setImmediate(resolve));
    expect(frames).toEqual([]);
  });
});
