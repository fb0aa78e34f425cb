import type { TurnDetection } from '../../speech/realtime-model.js';
import { SpeakerPauses } from '../../speech/speaker-pauses.js';

/** Silence before the end of a turn that is found by its meaning, at least. */
const SILENCE_BY_MEANING_MS = 600;
/** Smaller changes are not sent to the provider. */
const STEP_MS = 100;

/** How the provider finds the ends of the customer's turns; the silence follows the customer's pauses. */
export class TurnEnds {
  private readonly pauses: SpeakerPauses;

  /** @param audibleMs as in `SpeakerPauses` */
  constructor(
    private detection: TurnDetection,
    audibleMs: () => number,
    private readonly onChanged: (detection: TurnDetection) => void,
  ) {
    this.pauses = new SpeakerPauses(this.silenceMs, audibleMs);
  }

  /** Silence that the provider waits for, in milliseconds. */
  get silenceMs(): number {
    return this.detection.by === 'silence' ? this.detection.silenceMs : SILENCE_BY_MEANING_MS;
  }

  requiredVoiceMs(usualMs: number): number {
    return this.pauses.requiredVoiceMs(usualMs);
  }

  markPlayed(): void {
    this.pauses.markPlayed();
  }

  addFrame(isVoice: boolean, ms: number): void {
    this.pauses.addFrame(isVoice, ms);
    const { detection } = this;
    const silenceMs = this.pauses.endOfTurnMs;
    if (detection.by !== 'silence' || Math.abs(silenceMs - detection.silenceMs) < STEP_MS) return;
    this.detection = { ...detection, silenceMs };
    this.onChanged(this.detection);
  }
}
