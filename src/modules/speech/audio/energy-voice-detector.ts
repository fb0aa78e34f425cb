import { type OnVoiceFrame, VoiceActivityDetector, type VoiceActivity } from '../voice-activity.js';
import { BackgroundLevel } from './background-level.js';
import { FrameSplitter, loudnessOf } from './frame-splitter.js';

const FRAME_MS = 20;
/** Root mean square, of 32,768: the minimum of a voice on a quiet line … */
const QUIETEST_VOICE = 200;
/** … and the factor by which a voice is louder than the background. */
const ABOVE_BACKGROUND = 2.5;

/** Classifies audio that is louder than the background as voice, music and sudden noise included. */
export class EnergyVoiceDetector extends VoiceActivityDetector {
  override open(sampleRate: number, onFrame: OnVoiceFrame): VoiceActivity {
    const frames = new FrameSplitter((sampleRate * FRAME_MS) / 1000);
    const background = new BackgroundLevel();
    const classify = (frame: Int16Array): void => {
      const loudness = loudnessOf(frame);
      onFrame(loudness > Math.max(QUIETEST_VOICE, background.level * ABOVE_BACKGROUND), FRAME_MS);
      background.addFrame(loudness, FRAME_MS);
    };
    return { push: (samples) => frames.push(samples).forEach(classify), close: () => undefined };
  }
}
