import type { Clock } from './clock.js';
import { firstWords, msPerCharacter, type Speech } from './speech.js';

/** How long a report "still speaking" counts after the estimated end. */
const OVERTIME_MS = 5_000;
/**
 * The same where everything is reported: longer than such a session takes to begin, or to fail. What it plays after
 * this time would be in no record.
 */
const EXACT_OVERTIME_MS = 20_000;
/** A session that reports speech begins it within this time. */
const BEGIN_LIMIT_MS = 5_000;
/** The report of an interruption follows the report of silence within this time. */
const GRACE_MS = 300;
/**
 * By how much the estimate may be wrong at the end of a session that reports nothing: a customer who hangs up after a
 * sentence has heard it, and a session that breaks when speech was only just sent may never have played it.
 */
const ESTIMATE_ERROR_MS = 500;
/** Speech that another process sent is played for this much longer than estimated … */
const RESUMED_GRACE_MS = 1_000;
/** … or for this much, when it is not known how long it is. */
const UNKNOWN_GRACE_MS = 5_000;

export interface Cut {
  speech: Speech;
  heard: string;
}

export interface PlaybackListener {
  /** A piece of a speech was heard. */
  reported(speech: Speech): void;
  /** A speech was heard to its end. */
  played(speech: Speech): void;
  /** Speech that gave way to newer speech has stopped. */
  stopped(cuts: Cut[]): void;
}

/** Tracks which speech is still to be heard, by reports of the session or, without these, by estimates. */
export class Playback {
  private readonly queue: Speech[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly rate: number;
  private speaking = false;
  /** Whether this session tells when it speaks. */
  private reports = false;
  /** Whether this session tells anything of what it plays. */
  private isReported = false;
  private wasCut = false;
  /** Of which only the estimate says that it was heard to its end. */
  private presumed: Speech | null = null;
  private spokeAt = 0;
  private pausedAt = 0;
  /** The customer has the word: what is still playing gives way to the next speech. */
  private yielding = false;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly on: PlaybackListener,
    speed = 1,
    /** The session reports everything that it plays: nothing is estimated. */
    private readonly isExact = false,
  ) {
    this.rate = msPerCharacter(speed);
  }

  /** Whether the assistant has the word. */
  get playing(): boolean {
    return this.queue.length > 0 && !this.yielding;
  }

  /** Whether the end of the last speech was reported, not estimated. */
  get endIsKnown(): boolean {
    return this.isReported || this.wasCut;
  }

  /** Whether speech is playing that nothing stops. */
  get mustBeHeard(): boolean {
    return this.queue.some((speech) => speech.mustBeHeard);
  }

  /** How much longer it is estimated to play. */
  get remainingMs(): number {
    return Math.max(0, (this.queue.at(-1)?.endsAt ?? 0) - this.clock.now());
  }

  /** Resolves when everything was heard. */
  silent(): Promise<void> {
    if (!this.playing) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** @param sentAt when its first token was sent */
  begin(speech: Speech, sentAt = this.clock.now()): void {
    if (this.yielding) this.stop();
    this.wasCut = false;
    const last = this.queue.at(-1);
    speech.startsAt = speech.endsAt = Math.max(sentAt, last?.endsAt ?? 0);
    this.queue.push(speech);
  }

  /** Speech that the process which held the session before has sent, and that may still be heard. */
  resume(speech: Speech): void {
    const { playing = this.clock.now() } = speech.timings;
    speech.startsAt = Math.max(playing, this.queue.at(-1)?.endsAt ?? 0);
    const graceMs = speech.mayBeLonger ? UNKNOWN_GRACE_MS : RESUMED_GRACE_MS;
    speech.endsAt = Math.max(speech.startsAt + speech.text.length * this.rate, this.clock.now()) + graceMs;
    speech.started = speech.complete = true;
    this.queue.push(speech);
    this.arm();
  }

  add(speech: Speech, token: string): void {
    speech.text += token;
    // Speech cannot run ahead of its text.
    if (speech.text !== token) speech.endsAt = Math.max(this.clock.now(), speech.endsAt);
    speech.endsAt += token.length * this.rate;
  }

  complete(speech: Speech): void {
    speech.complete = true;
    this.finish((one) => one === speech && speech.playedWhole);
  }

  /** The session began or stopped to speak. A pause before the last token is one between two tokens. */
  spoken(on: boolean): void {
    const now = this.clock.now();
    const begins = on && !this.speaking;
    this.reports = this.isReported = true;
    this.speaking = on;
    if (begins) this.began(now);
    if (on) return this.arm();
    this.pausedAt = now;
    if (this.yielding) this.stop();
    else {
      for (const speech of this.queue) {
        if (speech.complete && speech.startsAt <= this.spokeAt)
          speech.endsAt = Math.min(speech.endsAt, now + GRACE_MS);
      }
    }
    this.arm();
  }

  /** The session played a piece, and so everything queued before it. */
  played(text: string): void {
    this.isReported = true;
    const index = this.queue.findIndex((speech) => speech.report(text, this.clock.now()));
    if (index < 0) return;
    const before = new Set(this.queue.slice(0, index));
    const current = this.queue[index];
    if (this.isExact && current) {
      current.endsAt = this.clock.now() + (current.text.length - current.playedTo) * this.rate;
      this.on.reported(current);
    }
    this.finish((speech) => before.has(speech) || speech.playedWhole);
  }

  /**
   * The customer takes the word; @returns what was heard of each piece by now. The session may speak on for a moment.
   */
  giveWay(): Cut[] {
    this.yielding = this.queue.length > 0;
    this.resolveSilent();
    return this.estimate();
  }

  /**
   * Speech stopped. @returns what was heard of each piece. `heard` is null when the session does not tell; an empty
   * report is believed of speech that has only just begun.
   */
  cut(heard: string | null): Cut[] {
    const cuts = heard?.trim() && !this.isExact ? this.match(heard) : this.estimate(heard !== null);
    this.presumed = null;
    this.yielding = false;
    this.wasCut = heard !== null;
    this.finish(() => true, false);
    return cuts;
  }

  /**
   * The session is over. Where it reports nothing, speech that was about to end was heard, and what just began not: nor
   * was speech that was just sent and whose begin a session would have reported.
   */
  end(): Cut[] {
    const now = this.clock.now();
    const errorMs = this.isReported ? 0 : ESTIMATE_ERROR_MS;
    const began = ({ started, startsAt }: Speech): boolean =>
      now - startsAt >= (this.reports && !started ? ESTIMATE_ERROR_MS : errorMs);
    if (this.isExact) return this.cut(null);
    this.finish((speech) => speech.complete && began(speech) && speech.endsAt <= now + errorMs);
    return this.cut(null).map((cut) => (began(cut.speech) ? cut : { ...cut, heard: '' }));
  }

  private stop(): void {
    this.on.stopped(this.cut(null));
  }

  /** The estimate assumes that speech begins when it is sent; the report corrects it. */
  private began(now: number): void {
    const [first] = this.queue;
    this.spokeAt = now;
    this.presumed = null;
    if (!first) return;
    this.shift(first.started ? now - this.pausedAt : now - first.startsAt);
    first.started = true;
  }

  private shift(ms: number): void {
    for (const speech of this.queue) {
      speech.startsAt += ms;
      speech.endsAt += ms;
    }
  }

  private estimate(mayBeUnheard = false): Cut[] {
    const now = this.clock.now();
    return this.queue.map((speech) => {
      if (this.isExact) return { speech, heard: speech.reported };
      const isUnheard = mayBeUnheard && !speech.surelyHeardBy(now);
      return { speech, heard: isUnheard ? '' : speech.estimatedUpTo(now) };
    });
  }

  private match(heard: string): Cut[] {
    const found = this.queue.findIndex((speech) => speech.upTo(heard) !== null);
    // Words of no speech that is playing: one that was taken for heard was still playing.
    const late = found < 0 ? this.presumed?.upTo(heard) : null;
    if (this.presumed && late && late !== this.presumed.text.trim()) {
      const unheard = this.queue.map((speech) => ({ speech, heard: '' }));
      return [{ speech: this.presumed, heard: late }, ...unheard];
    }
    const stoppedAt = Math.max(0, found);
    return this.queue.map((speech, index) => {
      if (index !== stoppedAt) return { speech, heard: index < stoppedAt ? speech.text.trim() : '' };
      return { speech, heard: speech.upTo(heard) ?? firstWords(speech.text, heard) };
    });
  }

  /** Removes finished speech from the queue and waits for the rest. */
  private finish(isOver: (speech: Speech) => boolean, heardWhole = true): void {
    for (const speech of this.queue.filter(isOver)) {
      this.queue.splice(this.queue.indexOf(speech), 1);
      if (heardWhole) this.on.played(speech);
    }
    if (this.queue.length === 0) this.yielding = false;
    this.follow();
    this.arm();
    if (!this.playing) this.resolveSilent();
  }

  /** What was queued after a finished speech begins now, also when that one ended sooner than estimated. */
  private follow(): void {
    const [next] = this.queue;
    if (!next) return;
    if (next.startsAt > this.clock.now()) this.shift(this.clock.now() - next.startsAt);
    if (this.speaking) next.started = true;
  }

  private resolveSilent(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private arm(): void {
    this.cancel();
    const [next] = this.queue;
    if (!next?.complete) return;
    this.cancel = this.clock.setTimeout(
      () => (this.isExact ? this.giveUp(next) : this.presume(next)),
      Math.max(0, this.endOf(next) - this.clock.now()),
    );
  }

  private presume(speech: Speech): void {
    this.finish((one) => one === speech);
    this.presumed = speech;
  }

  /** A session that reports everything has not played this to its end. */
  private giveUp(late: Speech): void {
    this.on.stopped([{ speech: late, heard: late.reported }]);
    this.finish((speech) => speech === late, false);
  }

  private endOf(speech: Speech): number {
    if (this.isExact) return speech.endsAt + EXACT_OVERTIME_MS;
    if (this.speaking) return speech.endsAt + OVERTIME_MS;
    if (this.reports && !speech.started) return Math.max(speech.endsAt, speech.startsAt + BEGIN_LIMIT_MS);
    return speech.endsAt;
  }
}
