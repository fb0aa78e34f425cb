import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { EnergyVoiceDetector } from '../audio/energy-voice-detector.js';
import { type OnVoiceFrame, VoiceActivityDetector, type VoiceActivity } from '../voice-activity.js';
import { SileroModel } from './silero-model.js';
import { SileroVoiceActivity } from './silero-voice-activity.js';

/** Loading blocks the event loop for 0.1 s, which no call should notice. */
const LOAD_AFTER_MS = 1_000;

/** The voice detection model Silero, in optional packages; without them detection is by energy. */
@Injectable()
export class SileroVoiceDetectorService
  extends VoiceActivityDetector
  implements OnApplicationBootstrap, OnModuleDestroy
{
  private readonly logger = new Logger(SileroVoiceDetectorService.name);
  private readonly energy = new EnergyVoiceDetector();
  private loaded: Promise<SileroModel | null> | null = null;
  private loadTimer: NodeJS.Timeout | undefined;

  constructor(private readonly settings: RuntimeSettings) {
    super();
  }

  onApplicationBootstrap(): void {
    if (this.settings.speech.voiceDetection === 'energy') return;
    this.loadTimer = setTimeout(() => void this.load(), LOAD_AFTER_MS);
    this.loadTimer.unref();
  }

  onModuleDestroy(): void {
    clearTimeout(this.loadTimer);
  }

  override open(sampleRate: number, onFrame: OnVoiceFrame): VoiceActivity {
    const energy = this.energy.open(sampleRate, onFrame);
    if (this.settings.speech.voiceDetection === 'energy') return energy;
    return new SileroVoiceActivity(sampleRate, onFrame, energy, this.load());
  }

  /** @returns null without the packages */
  load(): Promise<SileroModel | null> {
    this.loaded ??= this.loadModel().catch(() => {
      this.logger.warn(
        'The packages of the voice model are not installed: voices are detected by their energy',
      );
      return null;
    });
    return this.loaded;
  }

  protected loadModel(): Promise<SileroModel> {
    return SileroModel.load();
  }
}
