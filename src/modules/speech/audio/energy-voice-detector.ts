import { type OnVoiceFrame, VoiceActivityDetector, type VoiceActivity } from '../voice-activity.js';

const FRAME_MS = 20;
/** Root mean squares, of 32,768. Voice is louder than this, however quiet the line is … */
const QUIETEST_VOICE = 200;
/** … and by this factor louder than the background. */
const ABOVE_BACKGROUND = 3;
/** A background that is louder is not told from voice. */
const LOUDEST_BACKGROUND = 2_000;
/** The lowest estimate. */
const START = QUIETEST_VOICE / ABOVE_BACKGROUND;
/**
 * The estimate of the background falls at once, and rises by a seventh in a second, so that pauses between words set
 * it.
 */
const RISE = 1.15 ** (FRAME_MS / 1000);

/** Takes for voice what is louder than the background: music and sudden noise too. */
export class EnergyVoiceDetector extends VoiceActivityDetector {
  override open(sampleRate: number, onFrame: OnVoiceFrame): VoiceActivity {
    const length = (sampleRate * FRAME_MS) / 1000;
    let pending = new Int16Array(0);
    let background = START;
    const judge = (frame: Int16Array): void => {
      const loudness = Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / length);
      onFrame(loudness > Math.max(QUIETEST_VOICE, background * ABOVE_BACKGROUND), FRAME_MS);
      background = Math.min(LOUDEST_BACKGROUND, Math.max(START, Math.min(loudness, background * RISE)));
    };
    return {
      push: (samples) => {
        const audio = new Int16Array(pending.length + samples.length);
        audio.set(pending);
        audio.set(samples, pending.length);
        let at = 0;
        for (; at + length <= audio.length; at += length) judge(audio.subarray(at, at + length));
        pending = audio.slice(at);
      },
      close: () => undefined,
    };
  }
}
