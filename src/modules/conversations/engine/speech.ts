import type { TurnTimings } from './conversation-recorder.js';
import type { AssistantEntry } from './conversation-memory.js';
import { wordEnds, wordStart } from '../../speech/word-positions.js';

/** Playback after which at least one word counts as heard. */
const SURELY_HEARD_MS = 1_500;
/** Maximum delay of a report of played text. */
const REPORT_DELAY_MS = 500;

/** One speech of the assistant, from its first token to its last. */
export class Speech {
  text = '';
  /** No further text is added. */
  complete = false;
  /** Its number in the record; null while it is not stored. */
  seq: number | null = null;
  /** Estimated playback, in milliseconds of the clock. */
  startsAt = 0;
  endsAt = 0;
  /** Whether the session reported the start of its playback. */
  started = false;
  /** Neither the customer nor newer speech stops it. */
  isProtected = false;
  /** Characters that the session reported as played, and when. */
  playedTo = 0;
  private reportedAt = 0;
  /** When its text was last stored. */
  storedAt = 0;
  /** It is in the recorder's queue, which reads its text when it is due. */
  isQueued = false;
  /** The sending process terminated and may have sent more text than was stored. */
  readonly hasUnknownEnd: boolean;

  constructor(
    /** Null for a filler, which the model does not see. */
    readonly entry: AssistantEntry | null,
    readonly timings: TurnTimings,
    /** Text of earlier, interrupted speeches of the same response. */
    readonly earlierText = entry?.text ?? '',
    resumed: { seq: number; text: string } | null = null,
  ) {
    this.text = resumed?.text ?? '';
    this.seq = resumed?.seq ?? null;
    this.hasUnknownEnd = resumed !== null && timings.textLast === undefined;
  }

  get isPlayed(): boolean {
    return this.complete && this.playedTo >= this.text.trimEnd().length;
  }

  /** The text reported as played. */
  get playedText(): string {
    return this.text.slice(0, this.playedTo).trim();
  }

  /** Applies a report of played text; false when it is from another speech. */
  applyReport(played: string, now: number): boolean {
    const text = played.trim();
    if (this.hasUnknownEnd && text.startsWith(this.text.trim())) this.text = text;
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

  /** Replaces the whole text, or its end, `byMs` longer. @returns false when the text is from another speech */
  reword(text: string, said: string, byMs: number): boolean {
    if (text === '' || this.isPlayed || !this.text.endsWith(text)) return false;
    this.text = this.text.slice(0, this.text.length - text.length) + said;
    this.endsAt += byMs;
    return true;
  }

  /** The text of this speech up to the reported one; null when it is not found. */
  matchReportedText(heard: string): string | null {
    if (this.hasUnknownEnd && heard.trim().startsWith(this.text.trim())) return heard.trim();
    const at = this.text.indexOf(heard.trim());
    return at < 0 ? null : this.text.slice(0, at + heard.trim().length).trim();
  }

  /** For a report in another spelling: as many words, but no more than were reported as played by `now`. */
  countHeard(heard: string, now: number): string {
    const counted = takeFirstWords(this.text, heard);
    if (this.playedTo === 0) return counted;
    const played = this.estimateHeardTextAt(now);
    return played.length < counted.length ? played : counted;
  }

  /** Whether a part counts as heard, in spite of an empty report of an interruption. */
  isHeardAt(now: number): boolean {
    return this.playedTo > 0 || now - this.startsAt >= SURELY_HEARD_MS;
  }

  /** The text heard by `now`: as reported by the session, with an estimate of the time since. */
  estimateHeardTextAt(now: number): string {
    if (now >= this.endsAt) return this.text.trim();
    const rate = (this.endsAt - this.startsAt) / this.text.length;
    if (this.playedTo > 0) {
      const since = Math.max(0, now - this.reportedAt - REPORT_DELAY_MS);
      const more = wholeWords(this.text.slice(this.playedTo), since / rate);
      return (this.text.slice(0, this.playedTo) + more).trim();
    }
    return estimateHeardText(this.text, now - this.startsAt, rate);
  }
}

/** The heard part of a text after `ms` of playback, in whole words. */
export function estimateHeardText(text: string, ms: number, msPerChar: number): string {
  const heard = wholeWords(text, ms / msPerChar);
  return heard === '' && ms >= SURELY_HEARD_MS ? takeFirstWords(text, 'one') : heard;
}

function wholeWords(text: string, characters: number): string {
  if (characters >= text.length) return text.trimEnd();
  return text.slice(0, wordStart(text, Math.floor(characters))).trimEnd();
}

/** The first words of a text, as many as in `heard`, for a report with another spelling. */
export function takeFirstWords(text: string, heard: string): string {
  return text.slice(0, endOfWords(text, heard)).trim();
}

/** The text after the heard part. */
export function removeHeardPart(text: string, heard: string): string {
  const whole = text.trimStart();
  if (whole.startsWith(heard)) return whole.slice(heard.length).trimStart();
  return whole.slice(endOfWords(whole, heard)).trim();
}

/** End of as many words of a text as are in `heard`. */
function endOfWords(text: string, heard: string): number {
  const ends = wordEnds(text);
  return ends[Math.min(ends.length, wordEnds(heard).length) - 1] ?? 0;
}
