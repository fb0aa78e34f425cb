import { speechMs } from '../../speech/speech-length.js';
import type { Clock } from './clock.js';
import type { InterruptedSpeech, PlaybackListener } from './playback-listener.js';
import type { Speech } from './speech.js';

/** Time after the estimated end for which the report of speaking counts. */
const OVERTIME_MS = 5_000;
/**
 * The same for sessions with exact reports: longer than they take to begin or to fail. Later playback would be missing
 * in the transcript.
 */
const EXACT_OVERTIME_MS = 20_000;
/** Maximum delay of the start of speech in sessions that report it. */
const BEGIN_LIMIT_MS = 5_000;
/** Maximum delay between the reports of silence and of an interruption. */
const GRACE_MS = 300;
/**
 * Tolerance of the estimate at the end of a session without reports: a customer who hangs up after a sentence has heard
 * it, and speech sent just before a break may never have been played.
 */
const ESTIMATE_ERROR_MS = 500;
/** Added to the estimated duration of speech sent by another process … */
const RESUMED_GRACE_MS = 1_000;
/** … or of unknown length. */
const UNKNOWN_GRACE_MS = 5_000;

/** Tracks the playback of speech, by reports of the session or, without them, by estimates. */
export class Playback {
  private readonly queue: Speech[] = [];
  private readonly waiting: (() => void)[] = [];
  private speaking = false;
  /** Whether this session reports when it speaks. */
  private reportsSpeaking = false;
  /** Whether this session reports any playback. */
  private reportsPlayback = false;
  private wasInterrupted = false;
  /** Speech whose end is only estimated. */
  private presumedPlayed: Speech | null = null;
  private startedAt = 0;
  private pausedAt = 0;
  /** The customer has barged in: the next speech stops the playing one. */
  private isBargedIn = false;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly on: PlaybackListener,
    private readonly speed = 1,
    /** Whether the session reports all playback exactly, without estimates. */
    private readonly isExact = false,
  ) {}

  /** Whether the assistant is speaking, without a barge-in. */
  get isPlaying(): boolean {
    return this.queue.length > 0 && !this.isBargedIn;
  }

  /** Whether the end of the last speech is reported rather than estimated. */
  get isEndReported(): boolean {
    return this.reportsPlayback || this.wasInterrupted;
  }

  /** Whether uninterruptible speech is playing. */
  get isProtected(): boolean {
    return this.queue.some((speech) => speech.isProtected);
  }

  /** Estimated remaining playback. */
  get remainingMs(): number {
    return Math.max(0, (this.queue.at(-1)?.endsAt ?? 0) - this.clock.now());
  }

  /** What was heard of the playing response by now. */
  get heardText(): string {
    const [speech] = this.queue;
    const [cut] = this.estimateHeard();
    return [speech?.earlierText, cut?.heard].filter(Boolean).join(' ');
  }

  /** Resolves when all speech was played. */
  waitUntilSilent(): Promise<void> {
    if (!this.isPlaying) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** @param sentAt when its first token was sent */
  beginSpeech(speech: Speech, sentAt = this.clock.now()): void {
    if (this.isBargedIn) this.stopBargedIn();
    this.wasInterrupted = false;
    const last = this.queue.at(-1);
    speech.startsAt = speech.endsAt = Math.max(sentAt, last?.endsAt ?? 0);
    this.queue.push(speech);
  }

  /** Continues with speech sent by the previous process of the session. */
  resumeSpeech(speech: Speech): void {
    const { playing = this.clock.now() } = speech.timings;
    speech.startsAt = Math.max(playing, this.queue.at(-1)?.endsAt ?? 0);
    const graceMs = speech.hasUnknownEnd ? UNKNOWN_GRACE_MS : RESUMED_GRACE_MS;
    speech.endsAt = Math.max(speech.startsAt + this.msOf(speech.text), this.clock.now()) + graceMs;
    speech.started = speech.complete = true;
    this.queue.push(speech);
    this.armTimer();
  }

  addText(speech: Speech, token: string): void {
    speech.text += token;
    // Speech cannot be ahead of its text.
    if (speech.text !== token) speech.endsAt = Math.max(this.clock.now(), speech.endsAt);
    speech.endsAt += this.msOf(token);
  }

  completeSpeech(speech: Speech): void {
    speech.complete = true;
    this.removeFinished((one) => one === speech && speech.isPlayed);
  }

  /** The session started or stopped speaking. A pause before the last token is between two tokens. */
  handleSpeaking(on: boolean): void {
    const now = this.clock.now();
    const begins = on && !this.speaking;
    this.reportsSpeaking = this.reportsPlayback = true;
    this.speaking = on;
    if (begins) this.correctStart(now);
    if (on) return this.armTimer();
    this.pausedAt = now;
    if (this.isBargedIn) this.stopBargedIn();
    else {
      for (const speech of this.queue) {
        if (speech.complete && speech.startsAt <= this.startedAt)
          speech.endsAt = Math.min(speech.endsAt, now + GRACE_MS);
      }
    }
    this.armTimer();
  }

  /** The session speaks a text in other words, or not at all. */
  reword(text: string, said: string): void {
    const longerMs = this.msOf(said) - this.msOf(text);
    const speech = this.queue.find((one) => one.reword(text, said, longerMs));
    if (speech && speech.text !== '') this.on.speechReworded(speech);
    else if (speech) {
      this.on.speechStopped([{ speech, heard: '' }]);
      this.removeFinished((one) => one === speech, true);
    }
  }

  /** The session played a piece, and so everything queued before it. */
  handlePlayed(text: string): void {
    this.reportsPlayback = true;
    const index = this.queue.findIndex((speech) => speech.applyReport(text, this.clock.now()));
    if (index < 0) return;
    const before = new Set(this.queue.slice(0, index));
    const current = this.queue[index];
    if (this.isExact && current) {
      current.endsAt = this.clock.now() + this.msOf(current.text.slice(current.playedTo));
      this.on.pieceReported(current);
    }
    this.removeFinished((speech) => before.has(speech) || speech.isPlayed);
  }

  /**
   * The customer barges in. @returns the part of each speech heard by now; the session may continue for a moment.
   */
  bargeIn(): InterruptedSpeech[] {
    this.isBargedIn = this.queue.length > 0;
    this.resolveSilent();
    return this.estimateHeard();
  }

  /**
   * Speech stopped. @returns the heard part of each speech. `heard` is null without a report of the session; an empty
   * report is accepted for speech that has only just started.
   */
  interrupt(heard: string | null): InterruptedSpeech[] {
    const cuts = heard?.trim() && !this.isExact ? this.matchHeard(heard) : this.estimateHeard(heard !== null);
    this.presumedPlayed = null;
    this.isBargedIn = false;
    this.wasInterrupted = heard !== null;
    this.removeFinished(() => true, true);
    return cuts;
  }

  /**
   * The session ended. Without reports, speech about to end counts as heard, and speech that just started does not; nor
   * does speech without a report of its start where the session reports starts.
   */
  endSession(): InterruptedSpeech[] {
    const now = this.clock.now();
    const errorMs = this.reportsPlayback ? 0 : ESTIMATE_ERROR_MS;
    const began = ({ started, startsAt }: Speech): boolean =>
      now - startsAt >= (this.reportsSpeaking && !started ? ESTIMATE_ERROR_MS : errorMs);
    if (this.isExact) return this.interrupt(null);
    this.removeFinished((speech) => speech.complete && began(speech) && speech.endsAt <= now + errorMs);
    return this.interrupt(null).map((cut) => (began(cut.speech) ? cut : { ...cut, heard: '' }));
  }

  private msOf(text: string): number {
    return speechMs(text, this.speed);
  }

  private stopBargedIn(): void {
    this.on.speechStopped(this.interrupt(null));
  }

  /** Corrects the estimate that speech starts when it is sent. */
  private correctStart(now: number): void {
    const [first] = this.queue;
    this.startedAt = now;
    this.presumedPlayed = null;
    if (!first) return;
    this.shiftTimes(first.started ? now - this.pausedAt : now - first.startsAt);
    first.started = true;
  }

  private shiftTimes(ms: number): void {
    for (const speech of this.queue) {
      speech.startsAt += ms;
      speech.endsAt += ms;
    }
  }

  private estimateHeard(mayBeUnheard = false): InterruptedSpeech[] {
    const now = this.clock.now();
    return this.queue.map((speech) => {
      if (this.isExact) return { speech, heard: speech.playedText };
      const isUnheard = mayBeUnheard && !speech.isHeardAt(now);
      return { speech, heard: isUnheard ? '' : speech.estimateHeardTextAt(now) };
    });
  }

  private matchHeard(heard: string): InterruptedSpeech[] {
    const found = this.queue.findIndex((speech) => speech.matchReportedText(heard) !== null);
    // Not in any playing speech: one presumed as played was still playing.
    const late = found < 0 ? this.presumedPlayed?.matchReportedText(heard) : null;
    if (this.presumedPlayed && late && late !== this.presumedPlayed.text.trim()) {
      const unheard = this.queue.map((speech) => ({ speech, heard: '' }));
      return [{ speech: this.presumedPlayed, heard: late }, ...unheard];
    }
    const stoppedAt = Math.max(0, found);
    return this.queue.map((speech, index) => {
      if (index !== stoppedAt) return { speech, heard: index < stoppedAt ? speech.text.trim() : '' };
      return { speech, heard: speech.matchReportedText(heard) ?? speech.countHeard(heard, this.clock.now()) };
    });
  }

  /**
   * Removes finished speech from the queue and waits for the rest. Sessions with exact reports have not played what they
   * did not report.
   */
  private removeFinished(isOver: (speech: Speech) => boolean, wasStopped = false): void {
    for (const speech of this.queue.filter(isOver)) {
      this.queue.splice(this.queue.indexOf(speech), 1);
      if (wasStopped) continue;
      if (!this.isExact || speech.isPlayed) this.on.speechPlayed(speech);
      else this.on.speechStopped([{ speech, heard: speech.playedText }]);
    }
    if (this.queue.length === 0) this.isBargedIn = false;
    this.startNext();
    this.armTimer();
    if (!this.isPlaying) this.resolveSilent();
  }

  /** The next speech starts now, also when the one before ended sooner than estimated. */
  private startNext(): void {
    const [next] = this.queue;
    if (!next) return;
    if (next.startsAt > this.clock.now()) this.shiftTimes(this.clock.now() - next.startsAt);
    if (this.speaking) next.started = true;
  }

  private resolveSilent(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private armTimer(): void {
    this.cancel();
    const [next] = this.queue;
    if (!next?.complete) return;
    this.cancel = this.clock.setTimeout(
      () => this.presumePlayed(next),
      Math.max(0, this.deadlineOf(next) - this.clock.now()),
    );
  }

  private presumePlayed(speech: Speech): void {
    this.removeFinished((one) => one === speech);
    this.presumedPlayed = speech;
  }

  private deadlineOf(speech: Speech): number {
    if (this.isExact) return speech.endsAt + EXACT_OVERTIME_MS;
    if (this.speaking) return speech.endsAt + OVERTIME_MS;
    if (this.reportsSpeaking && !speech.started)
      return Math.max(speech.endsAt, speech.startsAt + BEGIN_LIMIT_MS);
    return speech.endsAt;
  }
}
