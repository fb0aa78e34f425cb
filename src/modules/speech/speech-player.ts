import { SAMPLE_RATE, type AudioLine } from '#src/modules/media/audio-line.js';
import { PlaybackClock } from '#src/modules/media/playback-clock.js';
import { audioOf } from './audio/audio-format.js';
import type { SpokenPiece } from './spoken-piece.js';

/** Audio is sent in chunks of this length, each followed by a mark. */
const CHUNK_MS = 100;
/** Audio is sent this long before it is played: a busy process, or a network, may pause for almost as long unheard. */
const AHEAD_MS = 500;

export interface SpeechPlayerListener {
  /** Speech begins after silence. */
  began(): void;
  /** A piece has begun to be sent: the next one can be prepared. */
  sending(): void;
  /** Words of a piece were played. */
  played(text: string, piece: SpokenPiece): void;
  /** All speech was played, or was cleared. */
  silent(): void;
}

/** Audio that the line was given, up to its mark. */
interface Sent {
  mark: string;
  piece: SpokenPiece;
  /** What is played of the piece when the mark comes back. */
  upTo: number;
  isEnd: boolean;
  /** When it has been played, as `playbackClock` tells. */
  endsAt: number;
}

/** Plays pieces of speech on a line in their order, and knows by its marks what was heard. */
export class SpeechPlayer {
  /** Pieces that were not played to their end, in their order. */
  private readonly unheard: SpokenPiece[] = [];
  private sent: Sent[] = [];
  private readonly playbackClock = new PlaybackClock();
  /** Pieces whose end was sent. */
  private readonly ended = new WeakSet<SpokenPiece>();
  private markNumber = 0;
  /** Up to when the line has audio, in milliseconds since the epoch. */
  private sentUntil = 0;
  private speaks = false;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly line: AudioLine,
    private readonly on: SpeechPlayerListener,
  ) {}

  get pieces(): readonly SpokenPiece[] {
    return this.unheard;
  }

  /** Audio of all pieces that was received and is not known to have been played, in milliseconds. */
  get unplayedMs(): number {
    return this.unheard.reduce((sum, { unplayedMs }) => sum + unplayedMs, 0);
  }

  add(piece: SpokenPiece): void {
    this.unheard.push(piece);
  }

  /** @param piece is played right after `before` */
  insertAfter(before: SpokenPiece, piece: SpokenPiece): void {
    this.unheard.splice(this.unheard.indexOf(before) + 1, 0, piece);
  }

  /** Sends what there is to send. Called when a piece has got audio. */
  send(): void {
    clearTimeout(this.timer);
    if (this.isClosed) return;
    const now = Date.now();
    this.sentUntil = Math.max(this.sentUntil, now);
    while (this.sentUntil < now + AHEAD_MS && this.sendChunk());
    if (this.sentUntil > now) this.timer = setTimeout(() => this.send(), CHUNK_MS);
  }

  /** Tells the words that were played by now, as far as they are not known by marks. */
  settle(): void {
    const now = this.line.brokenSince ?? Date.now();
    for (const { piece, upTo, endsAt } of this.sent) {
      piece.playedMs = Math.max(piece.playedMs, upTo - this.playbackClock.remainingMs(endsAt, now));
      this.tell(piece);
    }
  }

  /** Discards pieces. Those that began to be sent are stopped at the line, unless a kept one did too. */
  clear(pieces: readonly SpokenPiece[]): void {
    const kept = this.unheard.filter((piece) => !pieces.includes(piece));
    this.unheard.splice(0, Infinity, ...kept);
    for (const piece of pieces) piece.drop();
    this.sent = this.sent.filter(({ piece }) => kept.includes(piece));
    if (!kept.some(({ sentMs }) => sentMs > 0)) {
      this.line.clear();
      this.playbackClock.recordClear();
      this.sentUntil = 0;
    }
    this.rest();
    this.send();
  }

  mark(name: string): void {
    const index = this.sent.findIndex(({ mark }) => mark === name);
    const marked = this.sent[index];
    if (!marked) return;
    this.playbackClock.recordMark(marked.endsAt, Date.now());
    for (const { piece, upTo, isEnd } of this.sent.splice(0, index + 1)) {
      piece.playedMs = upTo;
      this.tell(piece);
      if (isEnd) this.unheard.splice(this.unheard.indexOf(piece), 1);
    }
    this.rest();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.sent = [];
    for (const piece of this.unheard.splice(0)) piece.drop();
  }

  /** @returns false when there is nothing to send */
  private sendChunk(): boolean {
    const { format } = this.line;
    const piece = this.nextPiece();
    const samples = piece?.take((SAMPLE_RATE[format] * CHUNK_MS) / 1000);
    if (!piece || !samples || samples.length === 0) return false;
    const durationMs = (samples.length * 1000) / SAMPLE_RATE[format];
    this.line.play(audioOf(samples, format));
    this.sentUntil += durationMs;
    this.playbackClock.recordSent(durationMs, Date.now());
    if (piece.sentWhole) this.end(piece);
    else this.sendMark(piece, false);
    if (!this.speaks) {
      this.speaks = true;
      this.on.began();
    }
    this.on.sending();
    return true;
  }

  /** The first piece with audio to send; one that has none any more ends where it is. */
  private nextPiece(): SpokenPiece | undefined {
    for (const piece of this.unheard) {
      if (!piece.sentWhole) return piece;
      this.end(piece);
    }
    return undefined;
  }

  private end(piece: SpokenPiece): void {
    if (this.ended.has(piece)) return;
    this.ended.add(piece);
    this.sendMark(piece, true);
  }

  private sendMark(piece: SpokenPiece, isEnd: boolean): void {
    const mark = `speech-${(this.markNumber += 1)}`;
    const endsAt = this.playbackClock.recordSent(0, Date.now());
    this.sent.push({ mark, piece, upTo: piece.sentMs, isEnd, endsAt });
    this.line.mark(mark);
  }

  private tell(piece: SpokenPiece): void {
    const words = piece.takePlayed();
    if (words.trim() !== '') this.on.played(words, piece);
  }

  private rest(): void {
    if (this.unheard.length > 0 || !this.speaks) return;
    this.speaks = false;
    this.on.silent();
  }
}
