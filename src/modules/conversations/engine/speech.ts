import type { TurnTimings } from './conversation-recorder.js';
import type { AssistantEntry } from './conversation-memory.js';

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
  /** Characters that the session reported as played. */
  playedTo = 0;

  constructor(
    /** Null for a filler, which neither the model nor the transcript gets. */
    readonly entry: AssistantEntry | null,
    readonly timings: TurnTimings,
  ) {}

  get playedWhole(): boolean {
    return this.complete && this.playedTo >= this.text.trimEnd().length;
  }

  /** Applies a report of played text; false when it belongs to another speech. */
  report(played: string): boolean {
    const text = played.trim();
    const at = this.text.indexOf(text, this.playedTo);
    // Some carriers report everything played so far instead of the newest piece.
    const end = at >= 0 ? at + text.length : this.text.trimStart().startsWith(text) ? text.length : -1;
    if (text === '' || end < 0) return false;
    this.playedTo = Math.max(this.playedTo, end);
    return true;
  }

  /** The reported text, as far as it can be found in this speech. */
  upTo(heard: string): string | null {
    const at = this.text.indexOf(heard.trim());
    return at < 0 ? null : this.text.slice(0, at + heard.trim().length).trim();
  }

  /** What was heard by `now`: as reported by the session, else estimated from the time that passed. */
  estimatedUpTo(now: number): string {
    if (this.playedTo > 0) return this.text.slice(0, this.playedTo).trim();
    if (now >= this.endsAt) return this.text.trim();
    const share = (now - this.startsAt) / (this.endsAt - this.startsAt);
    const cut = this.text.slice(0, Math.max(0, Math.floor(share * this.text.length)));
    // A word counts only when it was spoken in full.
    return cut.slice(0, Math.max(cut.lastIndexOf(' '), 0)).trim();
  }
}

/** As many words from the beginning as `heard` has, for a report that spells words differently. */
export function firstWords(text: string, heard: string): string {
  const count = heard.trim().split(/\s+/).filter(Boolean).length;
  return text.trim().split(/\s+/).slice(0, count).join(' ');
}
