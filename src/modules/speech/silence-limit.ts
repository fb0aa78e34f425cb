/**
 * Milliseconds without sound after which the voice in use is given up: the first one of a sentence before its first
 * sound, each next one before its first sound, and any of them in the middle of the sentence.
 */
const FIRST_VOICE_MS = 1_200;
const NEXT_VOICE_MS = 800;
const MID_SENTENCE_MS = 600;
/** The same for a voice that no other one can replace: then the carrier speaks. */
const LAST_VOICE_MS = 2_500;

/**
 * Maximum silence within one sentence before the next voice is requested. All silences of the
 * sentence count together: the third voice is requested after at most 2 s of silence, for any failures before.
 */
export class SilenceLimit {
  private limitMs = FIRST_VOICE_MS;
  /** Of all silences of the sentence until the voice in use is given up. */
  private totalMs = FIRST_VOICE_MS;
  /** Of the silences that have ended. */
  private silentMs = 0;
  private soundUntil: number;
  /** Since when the voice in use is waited for. */
  private waitsSince: number;

  /**
   * @param now milliseconds of any origin
   * @param unplayedMs of audio that the line has when the first voice is asked
   */
  constructor(
    private readonly now: () => number,
    unplayedMs: number,
  ) {
    this.soundUntil = now() + unplayedMs;
    this.waitsSince = this.soundUntil;
  }

  /** Negative: the time of the voice has expired. */
  get remainingMs(): number {
    const ends = [this.waitsSince + this.limitMs, this.soundUntil + this.totalMs - this.silentMs];
    return Math.min(...ends) - this.now();
  }

  /** The same where no voice is left. */
  get lastVoiceMs(): number {
    return this.waitsSince + LAST_VOICE_MS - this.now();
  }

  /** @param unplayedMs of audio that the line has now, with the audio just received */
  recordSound(unplayedMs: number): void {
    const now = this.now();
    this.silentMs += Math.max(0, now - this.soundUntil);
    this.soundUntil = now + unplayedMs;
    this.waitsSince = this.soundUntil;
    this.limitMs = MID_SENTENCE_MS;
  }

  /** The voice in use is asked again, within its time. */
  recordRetry(): void {
    this.waitsSince = Math.max(this.now(), this.soundUntil);
    this.limitMs = NEXT_VOICE_MS;
  }

  recordVoiceRequest(): void {
    this.recordRetry();
    this.totalMs += NEXT_VOICE_MS;
  }
}
