import type { TurnTimings } from './conversation-recorder.js';
import type { AssistantEntry } from './conversation-memory.js';

/** Milliseconds of speech per character at normal speed, as people and voices speak. */
const MS_PER_CHARACTER = 60;
/** Speech that has been playing for this long was heard in part, whatever its words are. */
const SURELY_HEARD_MS = 1_500;
/** A report of played text may be this late. */
const REPORT_DELAY_MS = 500;

/** @param speed the voice's speed, 1 is normal */
export const msPerCharacter = (speed: number): number => MS_PER_CHARACTER / speed;

/** One speech of the assistant, from its first token to its last. */
export class Speech {
  text = '';
  /** Nothing is added any more. */
  complete = false;
  /** The number it was stored with; null while it is not stored. */
  seq: number | null = null;
  /** When it is estimated to be heard, in milliseconds of the clock. */
  startsAt = 0;
  endsAt = 0;
  /** Whether the session reported that it is being played. */
  started = false;
  /** Neither the customer nor newer speech stops it. */
  mustBeHeard = false;
  /** Characters that the session reported as played, and when. */
  playedTo = 0;
  private reportedAt = 0;
  /** When its text was last handed to the record. */
  storedAt = 0;
  /** It waits in the queue of the record, which takes its text when it comes to it. */
  awaitsRecord = false;
  /** The session may have been sent more than is known: the process that sent it has died. */
  readonly mayBeLonger: boolean;

  constructor(
    /** Null for a filler, which neither the model nor the transcript gets. */
    readonly entry: AssistantEntry | null,
    readonly timings: TurnTimings,
    /** What the same answer said in earlier speeches, which were interrupted. */
    readonly before = entry?.text ?? '',
    resumed: { seq: number; text: string } | null = null,
  ) {
    this.text = resumed?.text ?? '';
    this.seq = resumed?.seq ?? null;
    this.mayBeLonger = resumed !== null && timings.textLast === undefined;
  }

  get playedWhole(): boolean {
    return this.complete && this.playedTo >= this.text.trimEnd().length;
  }

  /** What the session reported as played. */
  get reported(): string {
    return this.text.slice(0, this.playedTo).trim();
  }

  /** Applies a report of played text; false when it belongs to another speech. */
  report(played: string, now: number): boolean {
    const text = played.trim();
    if (this.mayBeLonger && text.startsWith(this.text.trim())) this.text = text;
    const at = this.text.indexOf(text, this.playedTo);
    // Some carriers report everything played so far instead of the newest piece.
    const end = at >= 0 ? at + text.length : this.text.trimStart().startsWith(text) ? text.length : -1;
    if (text === '' || end < 0) return false;
    this.playedTo = Math.max(this.playedTo, end);
    if (this.timings.heardTo !== undefined) this.timings.heardTo = this.playedTo;
    this.reportedAt = now;
    this.started = true;
    return true;
  }

  /** The reported text, as far as it can be found in this speech. */
  upTo(heard: string): string | null {
    if (this.mayBeLonger && heard.trim().startsWith(this.text.trim())) return heard.trim();
    const at = this.text.indexOf(heard.trim());
    return at < 0 ? null : this.text.slice(0, at + heard.trim().length).trim();
  }

  /** Whether some of it was heard, whatever the session says of an interruption. */
  surelyHeardBy(now: number): boolean {
    return this.playedTo > 0 || now - this.startsAt >= SURELY_HEARD_MS;
  }

  /** What was heard by `now`: as reported by the session, and estimated from the time that passed since. */
  estimatedUpTo(now: number): string {
    if (now >= this.endsAt) return this.text.trim();
    const rate = (this.endsAt - this.startsAt) / this.text.length;
    if (this.playedTo > 0) {
      const since = Math.max(0, now - this.reportedAt - REPORT_DELAY_MS);
      const more = wholeWords(this.text.slice(this.playedTo), since / rate);
      return (this.text.slice(0, this.playedTo) + more).trim();
    }
    return heardWithin(this.text, now - this.startsAt, rate);
  }
}

/** What is heard of a text that has been playing for `ms`; a word counts when it was spoken in full. */
export function heardWithin(text: string, ms: number, msPerChar: number): string {
  const heard = wholeWords(text, ms / msPerChar);
  return heard === '' && ms >= SURELY_HEARD_MS ? firstWords(text, 'one') : heard;
}

function wholeWords(text: string, characters: number): string {
  if (characters >= text.length) return text.trimEnd();
  const end = Math.max(0, Math.floor(characters));
  const cut = text.slice(0, end);
  if (/\s/.test(text.charAt(end))) return cut.trimEnd();
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 0)).trimEnd();
}

/** As many words from the beginning as `heard` has, for a report that spells words differently. */
export function firstWords(text: string, heard: string): string {
  return words(text).slice(0, words(heard).length).join(' ');
}

/** What comes after the part that was heard. */
export function restAfter(text: string, heard: string): string {
  const whole = text.trimStart();
  if (whole.startsWith(heard)) return whole.slice(heard.length).trimStart();
  return words(text).slice(words(heard).length).join(' ');
}

const words = (text: string): string[] => text.trim().split(/\s+/).filter(Boolean);
