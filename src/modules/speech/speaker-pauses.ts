/** Shorter voice is a click. */
const MIN_VOICE_MS = 60;
/** A shorter silence is between words. */
const MIN_PAUSE_MS = 200;
/** Shorter voice after a pause may be a cough, which tells nothing about the pause. */
const SURE_VOICE_MS = 400;
/** A single pause changes the longest one by at most this. */
const STEP_MS = 1_000;
/** A customer who is silent for longer has finished. */
const LONGEST_PAUSE_MS = 2_500;
/** The assistant has answered once it was heard for this long; before, both began at the same time. */
const ANSWERED_MS = 500;
/** Turns after which the customer's pauses count as known. */
const KNOWN_AFTER_TURNS = 3;
/** The end of a turn is a longer silence than the pauses within turns: by this factor and this many milliseconds. */
const FACTOR = 1.1;
const MARGIN_MS = 100;
/** What remains of the longest pause with each turn, so that a pause is forgotten in some turns. */
const REMEMBERED = 0.8;
/** Share of the configured silence that is the shortest one. */
const SHORTEST = 0.5;
/** Share of the usual voice that interrupts an answer which began while the customer paused. */
const SHARE_OF_CONTINUATION = 0.2;

/** The longest silence that ends a turn, in milliseconds. @param baseMs configured silence */
export const longestSilenceMs = (baseMs: number): number => Math.max(baseMs, LONGEST_PAUSE_MS);

/**
 * The pauses that a customer makes within turns, in milliseconds of audio. They decide how much silence ends a turn:
 * more for a customer who goes on after it, less for one who speaks without pauses.
 */
export class SpeakerPauses {
  /** Of the voice since the last pause, with the silence between words, and since the last silent frame. */
  private voicedMs = 0;
  private soundMs = 0;
  /** Silence so far, without clicks; 0 while there is voice. */
  silentMs = Infinity;
  /** Before the present voice, within its turn; null: it began the turn, or the pause is counted. */
  private pauseMs: number | null = null;
  /** Less with each turn that begins. */
  private longestMs = 0;
  /** Turns of the customer that have begun. */
  turns = 0;
  private isAnswered = false;
  private continues = false;

  /**
   * @param baseMs configured silence at the end of a turn
   * @param audibleMs for how long the present speech of the assistant has been heard
   */
  constructor(
    private readonly baseMs: number,
    private readonly audibleMs: () => number,
  ) {}

  /** Silence that ends a turn, from `shortestMs` to `mostMs`. */
  get endOfTurnMs(): number {
    const needed = Math.round(this.longestMs * FACTOR + MARGIN_MS);
    const shortest = this.turns < KNOWN_AFTER_TURNS ? this.baseMs : this.shortestMs;
    return Math.min(this.mostMs, Math.max(shortest, needed));
  }

  /** Half of the configured silence. */
  get shortestMs(): number {
    return this.baseMs * SHORTEST;
  }

  /** 2.5 s, or the configured silence where that is more. */
  get mostMs(): number {
    return longestSilenceMs(this.baseMs);
  }

  /** Voice that interrupts. @param usualMs where the assistant has answered */
  requiredVoiceMs(usualMs: number): number {
    return this.continues ? usualMs * SHARE_OF_CONTINUATION : usualMs;
  }

  addFrame(isVoice: boolean, ms: number): void {
    if (!isVoice) {
      this.silentMs += ms + (this.soundMs < MIN_VOICE_MS ? this.soundMs : 0);
      this.soundMs = 0;
      return;
    }
    this.soundMs += ms;
    if (this.soundMs < MIN_VOICE_MS) return;
    if (this.silentMs >= MIN_PAUSE_MS) this.beginVoice(this.silentMs);
    else this.voicedMs += this.silentMs;
    this.silentMs = 0;
    this.voicedMs += ms;
    if (this.pauseMs === null || this.voicedMs < SURE_VOICE_MS) return;
    this.longestMs = Math.max(this.longestMs, Math.min(this.pauseMs, this.longestMs + STEP_MS));
    this.pauseMs = null;
  }

  /** Words of the assistant were played. */
  markPlayed(): void {
    if (this.audibleMs() >= ANSWERED_MS) this.isAnswered = true;
  }

  private beginVoice(pauseMs: number): void {
    const isSameTurn = pauseMs <= LONGEST_PAUSE_MS && !this.isAnswered;
    this.continues = isSameTurn && this.audibleMs() < ANSWERED_MS;
    this.isAnswered = false;
    this.voicedMs = 0;
    this.pauseMs = isSameTurn ? pauseMs : null;
    if (isSameTurn) return;
    this.turns += 1;
    this.longestMs *= REMEMBERED;
  }
}
