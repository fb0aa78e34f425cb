import { type OnVoiceFrame, VoiceActivityDetector, type VoiceActivity } from '../voice-activity.js';

const FRAME_MS = 20;
/** Root mean square, of 32,768: the minimum of a voice on a quiet line … */
const QUIETEST_VOICE = 200;
/** … and the factor by which a voice is louder than the background. */
const ABOVE_BACKGROUND = 3;
/** Upper limit of the estimate: louder background is not distinguished from voice. */
const LOUDEST_BACKGROUND = 2_000;
/** The lowest estimate. */
const LOWEST_BACKGROUND = QUIETEST_VOICE / ABOVE_BACKGROUND;
/**
 * The estimate of the background falls at once, and rises by a seventh in a second, so that pauses between words set
 * it.
 */
const BACKGROUND_RISE = 1.15 ** (FRAME_MS / 1000);

/** Classifies audio that is louder than the background as voice, music and sudden noise included. */
export class EnergyVoiceDetector extends VoiceActivityDetector {
  override open(sampleRate: number, onFrame: OnVoiceFrame): VoiceActivity {
    const length = (sampleRate * FRAME_MS) / 1000;
    let pending = new Int16Array(0);
    let background = LOWEST_BACKGROUND;
    const classify = (frame: Int16Array): void => {
      const loudness = Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / length);
      onFrame(loudness > Math.max(QUIETEST_VOICE, background * ABOVE_BACKGROUND), FRAME_MS);
      background = Math.min(
        LOUDEST_BACKGROUND,
        Math.max(LOWEST_BACKGROUND, Math.min(loudness, background * BACKGROUND_RISE)),
      );
    };
    return {
      push: (samples) => {
        const audio = new Int16Array(pending.length + samples.length);
        audio.set(pending);
        audio.set(samples, pending.length);
        let at = 0;
        for (; at + length <= audio.length; at += length) classify(audio.subarray(at, at + length));
        pending = audio.slice(at);
      },
      close: () => undefined,
    };
  }
}
