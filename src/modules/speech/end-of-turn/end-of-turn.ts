import { SpeakerPauses } from '../speaker-pauses.js';
import type { EndOfTurnModel, TurnVerdict } from './end-of-turn-model.js';
import { TurnRecording } from './turn-recording.js';

/** The model is asked this long before the shortest pause that may end a turn, so that its answer is known then. */
const ASKED_BEFORE_MS = 100;
/** A slow word. */
const MS_PER_WORD = 600;
/** Added to the longest voice of a short answer: "but not on Friday" is still to be recognised behind "yes". */
const SHORT_ANSWER_MS = 200;
/** End of what the assistant said, which shows whether it asked. */
const HEARD_CHARACTERS = 200;

/** After voice without words that could stop the assistant, voice alone does not stop it for this long. */
const WORDS_DECIDE_MS = 60_000;

/** What decides beside the customer's pauses. */
export interface EndOfTurnSigns {
  /** Undefined: a provider decides by the meaning, or there is none. */
  model: EndOfTurnModel | undefined;
  /** Of the audio that the model is given. */
  sampleRate: number;
  /** Whether the customer's words are a complete short answer ("yes") to what they heard. */
  isShortAnswer: (heard: string, words: string) => boolean;
}

/**
 * Decides how much silence ends the customer's turn, in every mode of calls over audio: by their pauses, the words of a
 * short answer and, where there is one, a model that hears the turn.
 */
export class EndOfTurn {
  private readonly pauses: SpeakerPauses;
  private readonly recording: TurnRecording | null;
  private turn = 0;
  /** Of voice in the turn. */
  private voicedMs = 0;
  /** Longest voice of the short answer that the turn has so far; 0: it has none. */
  private shortAnswerMs = 0;
  private heard = '';
  /** Number of the pause that the model was asked about, and its answer. */
  private pause = 0;
  private isAsked = false;
  private verdict: TurnVerdict = 'unsure';
  /** What is left of `WORDS_DECIDE_MS`. */
  private wordsDecideMs = 0;

  /**
   * @param baseMs configured silence at the end of a turn
   * @param audibleMs as in `SpeakerPauses`
   */
  constructor(
    baseMs: number,
    audibleMs: () => number,
    private readonly signs: EndOfTurnSigns,
  ) {
    this.pauses = new SpeakerPauses(baseMs, audibleMs);
    this.recording = signs.model?.isSet ? new TurnRecording(signs.sampleRate) : null;
  }

  /** Silence that ends the turn as it is now, in milliseconds. */
  get silenceMs(): number {
    const { shortestMs, mostMs, endOfTurnMs } = this.pauses;
    const isAnswered = this.shortAnswerMs > 0 && this.voicedMs <= this.shortAnswerMs;
    if (isAnswered || this.verdict === 'complete') return shortestMs;
    return this.verdict === 'incomplete' ? mostMs : endOfTurnMs;
  }

  /**
   * Voice that interrupts, as in `SpeakerPauses`, in milliseconds; infinite where words decide. Where words are counted,
   * it is long enough for them: a recogniser may know none before the end of speech.
   */
  requiredVoiceMs(usualMs: number, minWords: number): number {
    if (this.wordsDecideMs > 0) return Infinity;
    const voiceMs = this.pauses.requiredVoiceMs(usualMs);
    return minWords > 1 ? Math.max(voiceMs, minWords * MS_PER_WORD) : voiceMs;
  }

  /** A voice that is long enough to stop the assistant had no words: a television, a person beside the telephone. */
  markWordlessVoice(): void {
    this.wordsDecideMs = WORDS_DECIDE_MS;
  }

  /** The customer's audio, before its frames are classified. */
  addAudio(samples: Int16Array): void {
    this.recording?.push(samples);
  }

  addFrame(isVoice: boolean, ms: number): void {
    const { pauses } = this;
    this.wordsDecideMs -= Math.min(ms, this.wordsDecideMs);
    pauses.addFrame(isVoice, ms);
    if (pauses.turns !== this.turn) this.beginTurn(pauses.turns);
    if (isVoice) this.voicedMs += ms;
    if (pauses.silentMs === 0) this.endPause();
    else if (pauses.silentMs >= pauses.shortestMs - ASKED_BEFORE_MS) void this.askModel();
  }

  /** @param words of the customer's utterance so far */
  setWords(words: string): void {
    const count = words.trim().split(/\s+/).length;
    const isShort = this.signs.isShortAnswer(this.heard, words);
    this.shortAnswerMs = isShort ? count * MS_PER_WORD + SHORT_ANSWER_MS : 0;
  }

  /** Words of the assistant were played. */
  markPlayed(text: string): void {
    this.heard = (this.heard + text).slice(-HEARD_CHARACTERS);
    this.pauses.markPlayed();
  }

  private beginTurn(turn: number): void {
    this.turn = turn;
    this.voicedMs = 0;
    this.shortAnswerMs = 0;
    this.recording?.beginTurn();
  }

  private endPause(): void {
    this.pause += 1;
    this.isAsked = false;
    this.verdict = 'unsure';
  }

  /** Once in a pause. */
  private async askModel(): Promise<void> {
    const { model, sampleRate } = this.signs;
    if (!model || !this.recording || this.isAsked || this.turn === 0) return;
    const { pause } = this;
    this.isAsked = true;
    const verdict = await model.classify({ samples: this.recording.take(), sampleRate });
    if (this.pause === pause) this.verdict = verdict ?? 'unsure';
  }
}
