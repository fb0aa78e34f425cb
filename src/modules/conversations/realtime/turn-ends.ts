import { SAMPLE_RATE } from '#src/modules/media/audio-line.js';
import { EndOfTurn } from '../../speech/end-of-turn/end-of-turn.js';
import type { EndOfTurnModel } from '../../speech/end-of-turn/end-of-turn-model.js';
import type { RealtimeSettings, TurnDetection } from '../../speech/realtime-model.js';
import { isShortAnswer } from '../engine/interruption-policy.js';

/** Silence before the end of a turn that is found by its meaning, at least. */
const SILENCE_BY_MEANING_MS = 600;
/** Smaller changes are not sent to the provider. */
const STEP_MS = 100;

/** How the provider finds the ends of the customer's turns: the silence that it waits for is that of `EndOfTurn`. */
export class TurnEnds {
  private readonly end: EndOfTurn;
  private detection: TurnDetection;
  /** BCP 47, of the words. */
  private language: string;

  /**
   * @param model undefined: none
   * @param audibleMs as in `SpeakerPauses`
   */
  constructor(
    { turnDetection, format, language }: Pick<RealtimeSettings, 'turnDetection' | 'format' | 'language'>,
    model: EndOfTurnModel | undefined,
    audibleMs: () => number,
    private readonly onChanged: (detection: TurnDetection) => void,
  ) {
    this.detection = turnDetection;
    this.language = language;
    this.end = new EndOfTurn(this.silenceMs, audibleMs, {
      model: turnDetection.by === 'meaning' ? undefined : model,
      sampleRate: SAMPLE_RATE[format],
      isShortAnswer: (heard, words) => isShortAnswer(heard, words, this.language),
    });
  }

  /** Silence that the provider waits for, in milliseconds. */
  get silenceMs(): number {
    return this.detection.by === 'silence' ? this.detection.silenceMs : SILENCE_BY_MEANING_MS;
  }

  /** As in `EndOfTurn`. */
  requiredVoiceMs(usualMs: number, minWords: number): number {
    return this.end.requiredVoiceMs(usualMs, minWords);
  }

  /** As in `EndOfTurn`. */
  markWordlessVoice(): void {
    this.end.markWordlessVoice();
  }

  /** Words of the assistant were played. */
  markPlayed(text: string): void {
    this.end.markPlayed(text);
  }

  /** @param words of the customer's turn so far @param language BCP 47 */
  setWords(words: string, language: string): void {
    this.language = language;
    this.end.setWords(words);
  }

  /** The customer's audio, before its frames are classified. */
  addAudio(samples: Int16Array): void {
    this.end.addAudio(samples);
  }

  addFrame(isVoice: boolean, ms: number): void {
    this.end.addFrame(isVoice, ms);
    const { detection } = this;
    const { silenceMs } = this.end;
    if (detection.by !== 'silence' || Math.abs(silenceMs - detection.silenceMs) < STEP_MS) return;
    this.detection = { ...detection, silenceMs };
    this.onChanged(this.detection);
  }
}
