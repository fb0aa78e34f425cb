import { FrameSplitter, loudnessOf } from '../audio/frame-splitter.js';
import { Resampler } from '../audio/resampler.js';
import type { OnVoiceFrame, VoiceActivity } from '../voice-activity.js';
import { WINDOW_MS, WINDOW_SAMPLES, SileroStream, type ModelRate, type SileroModel } from './silero-model.js';
import { SpeakerLevel } from './speaker-level.js';

interface Connected {
  model: SileroModel;
  resampler: Resampler;
  splitter: FrameSplitter;
  stream: SileroStream;
}

/** Voice detection in one call by the model; by energy until the model is loaded and after its failure. */
export class SileroVoiceActivity implements VoiceActivity {
  private connected: Connected | null = null;
  private isClosed = false;
  private readonly speaker = new SpeakerLevel();
  private work: Promise<void>;

  constructor(
    sampleRate: number,
    private readonly onFrame: OnVoiceFrame,
    private readonly energy: VoiceActivity,
    loaded: Promise<SileroModel | null>,
  ) {
    this.work = this.connect(sampleRate, loaded).catch(() => undefined);
  }

  push(samples: Int16Array): void {
    const { connected } = this;
    if (!connected) return this.energy.push(samples);
    for (const window of connected.splitter.push(connected.resampler.push(samples)))
      this.work = this.work.then(() => this.classify(connected, window));
  }

  close(): void {
    this.isClosed = true;
    this.energy.close();
    void this.work.then(() => this.disconnect());
  }

  private async connect(sampleRate: number, loaded: Promise<SileroModel | null>): Promise<void> {
    const model = await loaded;
    if (!model || this.isClosed) return;
    const rate: ModelRate = sampleRate === 8_000 ? 8_000 : 16_000;
    const resampler = await Resampler.create(sampleRate, rate);
    const splitter = new FrameSplitter(WINDOW_SAMPLES[rate]);
    this.connected = { model, resampler, splitter, stream: new SileroStream(rate) };
  }

  private async classify(connected: Connected, window: Int16Array): Promise<void> {
    if (this.isClosed || this.connected !== connected) return;
    let probability: number;
    try {
      probability = await connected.model.classify(connected.stream, window);
    } catch {
      return this.disconnect();
    }
    if (!this.isClosed) this.onFrame(this.speaker.accepts(probability, loudnessOf(window)), WINDOW_MS);
  }

  private disconnect(): void {
    this.connected?.resampler.close();
    this.connected = null;
  }
}
