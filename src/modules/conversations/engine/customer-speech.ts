import type { CallSession } from '#src/modules/telephony/call-session.js';
import type { Clock } from './clock.js';

/** Time without input after which the customer counts as silent, for sessions that report no end of speech … */
const MAX_SPEECH_MS = 30_000;
/** … and time without words, however long voice is measured: it may be that of a television. */
const MAX_WORDLESS_MS = 180_000;
/** Default time for which the assistant waits for the transcript after the end of speech … */
const MAX_TRANSCRIPT_DELAY_MS = 1_000;
/** … or as long as the last transcript took, and this much longer, where that is more … */
const DELAY_TOLERANCE_MS = 300;
/** … up to this. */
const LONGEST_DELAY_MS = 3_000;
/** A transcript that is later than this after the end of its speech counts as that of newer speech. */
const MAX_LATENESS_MS = 5_000;
/** Maximum time that the assistant waits for a customer who speaks without recognised words … */
const MAX_HOLD_MS = 5_000;
/** … and after voice without words … */
const SOUND_HOLD_MS = 2_000;
/** … after the last measured voice, because customers pause within their turns … */
const MAX_PAUSE_MS = 3_000;
/** … and after a report of speech until voice is measured: without it, it is noise. */
const VOICE_ONSET_MS = 250;
/** Voice without words that is too long for a cough counts as two sounds. */
const LONG_SOUND_MS = 1_000;
/** Voice this long before the report of speech is part of it. */
const VOICE_LEAD_MS = 600;

/** Speech that has ended. */
interface EndedSpeech {
  endedAt: number;
  isNoise: boolean;
}

/**
 * Whether the customer is speaking, as the session reports it. Words belong to the utterance in which they were
 * spoken: those of an ended one do not end newer speech.
 */
export class CustomerSpeech {
  private hasStarted = false;
  private startedAt = 0;
  private stoppedAt = -Infinity;
  /** Transcripts of voice without words since the last words. */
  private sounds = 0;
  /** Words of the current speech were recognised. */
  private hasWords = false;
  /** The speech that ended last had no voice, where voice is measured, and no words. */
  isNoise = false;
  /** Utterances whose transcript is outstanding, oldest first. */
  private untranscribed: EndedSpeech[] = [];
  private takenEnd: number | null = null;
  private awaitsTranscript = false;
  private waiting: (() => void)[] = [];
  /** When the assistant began to wait, or words were recognised since; null: it does not wait. */
  private waitsSince: number | null = null;
  private cancel: () => void = () => undefined;
  private cancelHold: () => void = () => undefined;
  private readonly minDelayMs: number;
  private delayMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly session: Pick<CallSession, 'transcribesEach' | 'maxTranscriptDelayMs' | 'lastVoiceAt'>,
    /** Called when the customer counts as silent without a report. */
    private readonly onTimeout: () => void,
  ) {
    this.minDelayMs = this.delayMs = session.maxTranscriptDelayMs ?? MAX_TRANSCRIPT_DELAY_MS;
  }

  get isSpeaking(): boolean {
    return this.hasStarted;
  }

  /** Whether what is reported as speech has voice or words, as far as voice is measured. */
  get isVoiced(): boolean {
    return this.hasStarted && !this.isVoiceless;
  }

  /** Whether voice is probably not the customer's: the last two, or a long one, had no words. */
  get isInNoise(): boolean {
    return this.sounds > 1;
  }

  /** Whether the customer speaks, or the transcript is outstanding. */
  get isIncomplete(): boolean {
    return this.hasStarted || this.awaitsTranscript;
  }

  /** Whether the customer has spoken again since the utterance whose transcript was just received. */
  get hasNewerSpeech(): boolean {
    const { length } = this.untranscribed;
    return length > 0 && (this.hasStarted || (length > 1 && this.session.transcribesEach === true));
  }

  markStarted(): void {
    this.hasStarted = this.awaitsTranscript = true;
    this.startedAt = this.clock.now();
    this.hasWords = false;
    this.forgetLostTranscripts();
    this.startSpeechLimit();
    this.updateHold();
  }

  /** Interim words: of the current speech, of one that ended, or of one whose start was not reported. */
  markHeard(): void {
    if (this.hasStarted) this.startSpeechLimit();
    else if (this.untranscribed.length === 0) this.markStarted();
    this.hasWords = true;
    this.markRecognised(true);
  }

  /**
   * A transcript was received: the assistant waits for more words from now on, and less for sounds after a sound.
   *
   * @param voicedMs of voice in what was transcribed; null: not known
   */
  markRecognised(hasWords: boolean, voicedMs: number | null = null): void {
    if (hasWords) this.sounds = 0;
    else if (voicedMs !== 0) this.sounds += voicedMs !== null && voicedMs >= LONG_SOUND_MS ? 2 : 1;
    if (this.waitsSince === null) return;
    if (hasWords) this.waitsSince = this.clock.now();
    this.updateHold();
  }

  markStopped(): void {
    if (!this.hasStarted) return;
    this.hasStarted = false;
    this.isNoise = this.isVoiceless;
    this.stoppedAt = this.clock.now();
    this.untranscribed.push({ endedAt: this.stoppedAt, isNoise: this.isNoise });
    this.startTimer(this.delayMs, () => this.stopWaiting());
    this.updateHold();
  }

  /** When the customer stopped speaking the words just received; null without a report. */
  consumeSpeechEnd(): number | null {
    return (this.takenEnd = this.untranscribed[0]?.endedAt ?? null);
  }

  /** Milliseconds since the end of the speech that the last words are from; 0 without a report. */
  get waitedMs(): number {
    return this.takenEnd === null ? 0 : this.clock.now() - this.takenEnd;
  }

  /** The transcript of an utterance was received: of the oldest one that ended, else of the current speech. */
  markTranscribed(): void {
    this.forgetLostTranscripts();
    const { hasNewerSpeech } = this;
    const [ended] = this.untranscribed;
    if (ended) this.adjustDelay(ended.endedAt);
    if (!hasNewerSpeech) return this.markComplete();
    this.untranscribed = this.session.transcribesEach ? this.untranscribed.slice(1) : [];
    this.updateHold();
  }

  /** No transcript of speech that has ended is waited for. */
  markDecided(): void {
    if (!this.hasStarted) return this.markComplete();
    this.untranscribed = [];
    this.updateHold();
  }

  /** The customer has finished, and no transcript is outstanding. */
  markComplete(): void {
    this.hasStarted = false;
    this.untranscribed = [];
    this.stopWaiting();
  }

  /**
   * Resolves when the customer has finished and the transcript is received; at the latest 5 s after the first of these
   * waits and the last recognised words, or 2 s after voice without words. What has no voice is not waited for. Speech
   * that begins meanwhile, such as the next noise, does not extend the wait.
   */
  async waitUntilComplete(): Promise<void> {
    if (!this.awaitsTranscript) return;
    this.waitsSince ??= this.clock.now();
    const released = new Promise<void>((resolve) => this.waiting.push(resolve));
    this.updateHold();
    await released;
  }

  private adjustDelay(endedAt: number): void {
    const tookMs = this.clock.now() - endedAt;
    this.delayMs = Math.max(this.minDelayMs, Math.min(LONGEST_DELAY_MS, tookMs + DELAY_TOLERANCE_MS));
  }

  private stopWaiting(): void {
    this.cancel();
    this.awaitsTranscript = false;
    this.waitsSince = null;
    this.release();
  }

  private release(): void {
    this.cancelHold();
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private forgetLostTranscripts(): void {
    const oldest = this.clock.now() - MAX_LATENESS_MS;
    this.untranscribed = this.untranscribed.filter(({ endedAt }) => endedAt >= oldest);
  }

  private startSpeechLimit(): void {
    this.startLimit(MAX_SPEECH_MS, this.clock.now() + MAX_WORDLESS_MS);
  }

  /** @param lastAt end of the speech, if no words follow */
  private startLimit(ms: number, lastAt: number): void {
    this.startTimer(ms, () => {
      const { lastVoiceAt = -Infinity } = this.session;
      const leftMs = Math.min(lastVoiceAt + MAX_SPEECH_MS, lastAt) - this.clock.now();
      if (leftMs > 0) return this.startLimit(leftMs, lastAt);
      this.markComplete();
      this.onTimeout();
    });
  }

  private updateHold(): void {
    this.cancelHold();
    if (this.waitsSince === null) return;
    const leftMs = this.holdEnd(this.waitsSince) - this.clock.now();
    if (leftMs <= 0) return this.release();
    this.cancelHold = this.clock.setTimeout(() => this.updateHold(), leftMs);
  }

  private holdEnd(since: number): number {
    const latest = since + (this.sounds > 0 ? SOUND_HOLD_MS : MAX_HOLD_MS);
    const awaitsWords = this.untranscribed.some(({ isNoise }) => !isNoise);
    if (awaitsWords || (this.hasStarted && this.hasWords)) return latest;
    if (!this.hasStarted) return since;
    const voiceEnd = this.isVoiceless ? this.startedAt + VOICE_ONSET_MS : this.lastVoiceAt + MAX_PAUSE_MS;
    return Math.min(latest, voiceEnd);
  }

  /** The present speech has neither words nor voice, where voice is measured. Earlier voice is that of earlier speech. */
  private get isVoiceless(): boolean {
    const { hasWords, lastVoiceAt, startedAt, stoppedAt } = this;
    return !hasWords && lastVoiceAt <= Math.max(startedAt - VOICE_LEAD_MS, stoppedAt);
  }

  /** When voice was last measured; Infinity where it is not, as of a customer who is too quiet for that. */
  private get lastVoiceAt(): number {
    const { lastVoiceAt = -Infinity } = this.session;
    return lastVoiceAt === -Infinity ? Infinity : lastVoiceAt;
  }

  private startTimer(ms: number, task: () => void): void {
    this.cancel();
    this.cancel = this.clock.setTimeout(task, ms);
  }
}
