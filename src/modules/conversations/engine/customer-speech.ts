import type { Clock } from './clock.js';

/** Time without input after which the customer counts as silent, for sessions that report no end of speech. */
const MAX_SPEECH_MS = 30_000;
/** Default maximum delay between the end of speech and its transcript. */
const MAX_TRANSCRIPT_DELAY_MS = 1_000;
/** Maximum time that the assistant waits for a speaking customer. */
const MAX_HOLD_MS = 5_000;

/** Whether the customer is speaking, as the session reports it. */
export class CustomerSpeech {
  private hasStarted = false;
  private speechEndedAt: number | null = null;
  private takenEnd: number | null = null;
  private awaitsTranscript = false;
  private waiting: (() => void)[] = [];
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    /** Called when the customer counts as silent without a report. */
    private readonly onTimeout: () => void,
    private readonly maxTranscriptDelayMs = MAX_TRANSCRIPT_DELAY_MS,
  ) {}

  get isSpeaking(): boolean {
    return this.hasStarted;
  }

  /** Whether the customer speaks, or the transcript is outstanding. */
  get isIncomplete(): boolean {
    return this.hasStarted || this.awaitsTranscript;
  }

  markStarted(): void {
    this.hasStarted = this.awaitsTranscript = true;
    this.speechEndedAt = null;
    this.startTimer(MAX_SPEECH_MS, () => {
      this.markComplete();
      this.onTimeout();
    });
  }

  markStopped(): void {
    this.hasStarted = false;
    this.speechEndedAt = this.clock.now();
    if (this.awaitsTranscript) this.startTimer(this.maxTranscriptDelayMs, () => this.markComplete());
  }

  /** When the customer stopped speaking; null without a report, and on further calls. */
  consumeSpeechEnd(): number | null {
    const at = this.speechEndedAt;
    this.speechEndedAt = null;
    this.takenEnd = at;
    return at;
  }

  /** Milliseconds since the end of the speech that the last words are from; 0 without a report. */
  get waitedMs(): number {
    return this.takenEnd === null ? 0 : this.clock.now() - this.takenEnd;
  }

  /** The transcript was received, or none will come. */
  markComplete(): void {
    this.cancel();
    this.hasStarted = this.awaitsTranscript = false;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Resolves when the customer has finished and the transcript is received, after 5 s at the latest. */
  async waitUntilComplete(): Promise<void> {
    if (!this.awaitsTranscript) return;
    await new Promise<void>((resolve) => {
      const cancel = this.clock.setTimeout(resolve, MAX_HOLD_MS);
      this.waiting.push(() => {
        cancel();
        resolve();
      });
    });
  }

  private startTimer(ms: number, task: () => void): void {
    this.cancel();
    this.cancel = this.clock.setTimeout(task, ms);
  }
}
