import type { Clock } from './clock.js';
import { firstWords, type Speech } from './speech.js';

/** Estimated milliseconds per character, for sessions that do not report what was played. */
const MS_PER_CHARACTER = 60;
/** How long a report "still speaking" counts after the estimated end. */
const OVERTIME_MS = 5_000;
/** The report of an interruption follows the report of silence within this time. */
const GRACE_MS = 300;

export interface Cut {
  speech: Speech;
  heard: string;
}

/** Tracks which speech is still to be heard, by reports of the session or, without these, by estimates. */
export class Playback {
  private readonly queue: Speech[] = [];
  private readonly waiting: (() => void)[] = [];
  /** When the last token that was sent is estimated to have been heard. */
  private audibleUntil = 0;
  private speaking = false;
  private spokeAt = 0;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onPlayed: (speech: Speech) => void,
  ) {}

  get playing(): boolean {
    return this.queue.length > 0;
  }

  /** Resolves when everything was heard. */
  silent(): Promise<void> {
    if (!this.playing) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  begin(speech: Speech): void {
    speech.startsAt = speech.endsAt = this.audibleUntil = Math.max(this.clock.now(), this.audibleUntil);
    this.queue.push(speech);
  }

  add(speech: Speech, token: string): void {
    speech.text += token;
    this.audibleUntil = Math.max(this.clock.now(), this.audibleUntil) + token.length * MS_PER_CHARACTER;
    speech.endsAt = this.audibleUntil;
  }

  complete(speech: Speech): void {
    speech.complete = true;
    this.finish((one) => one === speech && speech.playedWhole);
  }

  /** The session began or stopped to speak. A pause before the last token is one between two tokens. */
  spoken(on: boolean): void {
    const now = this.clock.now();
    this.speaking = on;
    if (on) this.spokeAt = now;
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
    const index = this.queue.findIndex((speech) => speech.report(text));
    if (index < 0) return;
    const before = new Set(this.queue.slice(0, index));
    this.finish((speech) => before.has(speech) || speech.playedWhole);
  }

  /** Speech stopped. @returns what was heard of each piece. `heard` is null when the session does not report it. */
  cut(heard: string | null): Cut[] {
    const cuts = heard === null ? this.estimate() : this.match(heard);
    this.audibleUntil = 0;
    this.finish(() => true, false);
    return cuts;
  }

  private estimate(): Cut[] {
    const now = this.clock.now();
    return this.queue.map((speech) => ({ speech, heard: speech.estimatedUpTo(now) }));
  }

  private match(heard: string): Cut[] {
    const stoppedAt = Math.max(
      0,
      heard.trim() ? this.queue.findIndex((speech) => speech.upTo(heard) !== null) : 0,
    );
    return this.queue.map((speech, index) => {
      if (index !== stoppedAt) return { speech, heard: index < stoppedAt ? speech.text.trim() : '' };
      return { speech, heard: speech.upTo(heard) ?? firstWords(speech.text, heard) };
    });
  }

  /** Removes finished speech from the queue and waits for the rest. */
  private finish(isOver: (speech: Speech) => boolean, heardWhole = true): void {
    for (const speech of this.queue.filter(isOver)) {
      this.queue.splice(this.queue.indexOf(speech), 1);
      if (heardWhole) this.onPlayed(speech);
    }
    this.arm();
    if (!this.playing) for (const resolve of this.waiting.splice(0)) resolve();
  }

  private arm(): void {
    this.cancel();
    const [next] = this.queue;
    if (!next?.complete) return;
    const until = next.endsAt + (this.speaking ? OVERTIME_MS : 0);
    this.cancel = this.clock.setTimeout(
      () => this.finish((speech) => speech === next),
      Math.max(0, until - this.clock.now()),
    );
  }
}
