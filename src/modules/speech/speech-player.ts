import { SAMPLE_RATE, type AudioLine } from '#src/modules/media/audio-line.js';
import { PlaybackClock } from '#src/modules/media/playback-clock.js';
import { encodeAudio } from './audio/audio-format.js';
import type { SpokenPiece } from './spoken-piece.js';

/** Audio is sent in chunks of this length, each followed by a mark. */
const CHUNK_MS = 100;
/** Audio is sent this long before its playback, so that pauses of the process or the network are not audible. */
const AHEAD_MS = 500;

export interface SpeechPlayerListener {
  /** Speech begins after silence. */
  speechStarted(): void;
  /** The first audio of a piece was sent: the next piece can be synthesised. */
  pieceStarted(): void;
  /** Words of a piece were played. */
  wordsPlayed(text: string, piece: SpokenPiece): void;
  /** All speech was played, or was cleared. */
  speechEnded(): void;
}

/** Audio sent to the line, up to its mark. */
interface SentAudio {
  mark: string;
  piece: SpokenPiece;
  /** Milliseconds of the piece that are played when the mark returns. */
  upTo: number;
  isEnd: boolean;
  /** End of its playback by `playbackClock`. */
  endsAt: number;
}

/** Plays pieces of speech on a line in their order and tracks their playback by marks. */
export class SpeechPlayer {
  /** Pieces not played to their end, in order. */
  private readonly unplayed: SpokenPiece[] = [];
  private sent: SentAudio[] = [];
  private readonly playbackClock = new PlaybackClock();
  /** Pieces whose end was sent. */
  private readonly endedPieces = new WeakSet<SpokenPiece>();
  private markNumber = 0;
  /** Up to when the line has audio, in milliseconds since the epoch. */
  private sentUntil = 0;
  private isSpeaking = false;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly line: AudioLine,
    private readonly on: SpeechPlayerListener,
  ) {}

  get unplayedPieces(): readonly SpokenPiece[] {
    return this.unplayed;
  }

  /** For how long the playing piece has been heard, in milliseconds. */
  get audibleMs(): number {
    const [first] = this.unplayed;
    if (!first) return 0;
    const now = Date.now();
    const playing = this.sent.filter(({ piece }) => piece === first);
    const played = playing.map(({ upTo, endsAt }) => upTo - this.playbackClock.remainingMs(endsAt, now));
    return Math.max(first.playedMs, ...played);
  }

  /** Received audio of all pieces without confirmed playback, in milliseconds. */
  get unplayedMs(): number {
    return this.unplayed.reduce((sum, { unplayedMs }) => sum + unplayedMs, 0);
  }

  add(piece: SpokenPiece): void {
    this.unplayed.push(piece);
  }

  /** @param piece is played right after `before` */
  insertAfter(before: SpokenPiece, piece: SpokenPiece): void {
    this.unplayed.splice(this.unplayed.indexOf(before) + 1, 0, piece);
  }

  /** Sends the available audio. Called when a piece has received audio. */
  send(): void {
    clearTimeout(this.timer);
    if (this.isClosed) return;
    const now = Date.now();
    this.sentUntil = Math.max(this.sentUntil, now);
    while (this.sentUntil < now + AHEAD_MS && this.sendChunk());
    if (this.sentUntil > now) this.timer = setTimeout(() => this.send(), CHUNK_MS);
  }

  /** Reports the words played by now, estimated by the clock beyond the last mark. */
  reportPlayed(): void {
    const now = this.line.brokenSince ?? Date.now();
    for (const { piece, upTo, endsAt } of this.sent) {
      piece.playedMs = Math.max(piece.playedMs, upTo - this.playbackClock.remainingMs(endsAt, now));
      this.reportWords(piece);
    }
  }

  /** Discards pieces. Those that began to be sent are stopped at the line, unless a kept one did too. */
  clear(pieces: readonly SpokenPiece[]): void {
    const kept = this.unplayed.filter((piece) => !pieces.includes(piece));
    this.unplayed.splice(0, Infinity, ...kept);
    for (const piece of pieces) piece.discard();
    this.sent = this.sent.filter(({ piece }) => kept.includes(piece));
    if (!kept.some(({ sentMs }) => sentMs > 0)) {
      this.line.clear();
      this.playbackClock.recordClear();
      this.sentUntil = 0;
    }
    this.reportSilence();
    this.send();
  }

  markReached(name: string): void {
    const index = this.sent.findIndex(({ mark }) => mark === name);
    const marked = this.sent[index];
    if (!marked) return;
    this.playbackClock.recordMark(marked.endsAt, Date.now() - (this.line.markLatencyMs ?? 0));
    for (const { piece, upTo, isEnd } of this.sent.splice(0, index + 1)) {
      piece.playedMs = upTo;
      this.reportWords(piece);
      if (isEnd) this.unplayed.splice(this.unplayed.indexOf(piece), 1);
    }
    this.reportSilence();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.sent = [];
    for (const piece of this.unplayed.splice(0)) piece.discard();
  }

  /** @returns false when there is nothing to send */
  private sendChunk(): boolean {
    const { format } = this.line;
    const piece = this.nextPiece();
    const samples = piece?.takeAudio((SAMPLE_RATE[format] * CHUNK_MS) / 1000);
    if (!piece || !samples || samples.length === 0) return false;
    const durationMs = (samples.length * 1000) / SAMPLE_RATE[format];
    this.line.play(encodeAudio(samples, format));
    this.sentUntil += durationMs;
    this.playbackClock.recordSent(durationMs, Date.now());
    if (piece.isCompletelySent) this.endPiece(piece);
    else this.sendMark(piece, false);
    if (!this.isSpeaking) {
      this.isSpeaking = true;
      this.on.speechStarted();
    }
    this.on.pieceStarted();
    return true;
  }

  /** The first piece with audio to send; pieces sent in full are ended. */
  private nextPiece(): SpokenPiece | undefined {
    for (const piece of this.unplayed) {
      if (!piece.isCompletelySent) return piece;
      this.endPiece(piece);
    }
    return undefined;
  }

  private endPiece(piece: SpokenPiece): void {
    if (this.endedPieces.has(piece)) return;
    this.endedPieces.add(piece);
    this.sendMark(piece, true);
  }

  private sendMark(piece: SpokenPiece, isEnd: boolean): void {
    const mark = `speech-${(this.markNumber += 1)}`;
    const endsAt = this.playbackClock.recordSent(0, Date.now());
    this.sent.push({ mark, piece, upTo: piece.sentMs, isEnd, endsAt });
    this.line.mark(mark);
  }

  private reportWords(piece: SpokenPiece): void {
    const words = piece.takePlayed();
    if (words.trim() !== '') this.on.wordsPlayed(words, piece);
  }

  private reportSilence(): void {
    if (this.unplayed.length > 0 || !this.isSpeaking) return;
    this.isSpeaking = false;
    this.on.speechEnded();
  }
}
