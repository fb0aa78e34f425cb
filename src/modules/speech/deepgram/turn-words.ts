import { REPLAYED_SECONDS } from './audio-replay.js';
import { endsWith, wordsBefore, wordsOf } from './overlap.js';

/** Number of words of the turn at a second of the current stream. */
interface Known {
  endsAt: number;
  count: number;
}

/**
 * The words of a turn, also of one that several streams transcribe: the next stream repeats the last audio of the one
 * before it. Words before that are kept, and the words of both streams are matched by their time and their text.
 */
export class TurnWords {
  /** Of earlier streams; the last one may be wrong. */
  private earlier: readonly string[] = [];
  /** The count of them at the audio that is transcribed again; the oldest first. */
  private repeated: readonly Known[] = [];
  /** Number of `earlier` before the words of the current stream. */
  private before = 0;
  /** Of the current stream, in the last seconds. */
  private known: Known[] = [];
  private all: readonly string[] = [];

  get text(): string {
    return this.all.join('').trim();
  }

  /**
   * @param transcript of the turn by the current stream
   * @param endsAt end of its audio in seconds of the stream; null: unknown
   * @param isEnd whether a turn ends with it: words of earlier streams after it belong to the next one
   */
  update(transcript: string, endsAt: number | null, isEnd: boolean): void {
    const later = wordsOf(transcript);
    const repeated = this.repeated.find((known) => known.endsAt >= (endsAt ?? Infinity));
    const estimate = repeated ? Math.max(0, repeated.count - later.length) : this.before;
    this.before = wordsBefore(this.earlier, later, estimate);
    const count = this.before + later.length;
    if (endsAt !== null) this.keep({ endsAt, count });
    const isRepeated = count < this.earlier.length && !isEnd;
    this.all = isRepeated ? this.earlier : this.joined(later);
  }

  /** @param from seconds of this stream from which on the next one transcribes */
  continueInNextStream(from: number): void {
    this.earlier = this.all;
    const last = this.known.at(-1)?.endsAt ?? 0;
    const unrepeated = this.repeated.filter(({ endsAt }) => endsAt > last);
    this.repeated = [...this.known, ...unrepeated].map(({ endsAt, count }) => ({
      endsAt: endsAt - from,
      count,
    }));
    this.before = this.earlier.length;
    this.known = [];
  }

  clear(): void {
    this.all = this.earlier = [];
    this.repeated = this.known = [];
    this.before = 0;
  }

  /** The first word of the current stream may be the rest of one. */
  private joined([first, ...others]: readonly string[]): string[] {
    const start = this.earlier.slice(0, this.before);
    if (first === undefined) return start;
    const whole = this.earlier[this.before] ?? '';
    if (whole !== '' && endsWith(whole, first)) return [...start, whole, ...others];
    const isApart = whole === '' || whole.startsWith(' ');
    return [...start, isApart ? ` ${first}` : first, ...others];
  }

  private keep(known: Known): void {
    this.known = this.known.filter(({ endsAt }) => endsAt >= known.endsAt - REPLAYED_SECONDS);
    this.known.push(known);
  }
}
