import { fromPcm } from '../speech/audio/audio-format.js';
import { loudnessOf } from '../speech/audio/frame-splitter.js';

/** Bytes that the browser has and has not played: five seconds of 24 kHz PCM. */
const WINDOW_BYTES = 5 * 48_000;
/** 100 ms: the browser reports after each piece that it was played. */
const PIECE_BYTES = 4_800;

/** Pieces that the browser may play before it reports it. */
const PLAYING_PIECES = 3;

interface Piece {
  audio: Buffer;
  loudness: number;
}

/**
 * Audio on its way to a browser. Each byte has a position, counted from the beginning of the line; the browser reports
 * the position up to which it has played, and after a broken connection up to which it has received. At most five
 * seconds are with the browser, so that little is discarded when the customer interrupts, and nothing piles up where a
 * browser reads slowly.
 */
export class AudioWindow {
  /** Unplayed audio, in pieces; the first `given` of them are with the browser. */
  private pieces: Piece[] = [];
  private given = 0;
  private marks: { name: string; place: number }[] = [];
  private played = 0;
  private sent = 0;
  private end = 0;

  constructor(private readonly send: (audio: Buffer) => void) {}

  /** Unplayed bytes. */
  get size(): number {
    return this.end - this.played;
  }

  /** Of the audio that the browser plays now, root mean square; 0: none. */
  get playingLoudness(): number {
    const playing = this.pieces.slice(0, Math.min(PLAYING_PIECES, this.given));
    return Math.max(0, ...playing.map(({ loudness }) => loudness));
  }

  add(audio: Buffer): void {
    for (let at = 0; at < audio.length; at += PIECE_BYTES) {
      const piece = audio.subarray(at, at + PIECE_BYTES);
      this.pieces.push({ audio: piece, loudness: loudnessOf(fromPcm(piece)) });
    }
    this.end += audio.length;
  }

  /** @returns whether all audio before the mark was played already */
  addMark(name: string): boolean {
    if (this.size === 0) return true;
    this.marks.push({ name, place: this.end });
    return false;
  }

  /** Sends the audio that the browser may have now. */
  sendMore(): void {
    for (let piece = this.pieces[this.given]; piece && this.hasRoom; piece = this.pieces[this.given]) {
      this.given += 1;
      this.sent += piece.audio.length;
      this.send(piece.audio);
    }
  }

  /** Everything up to this place was played. @returns the marks that were reached */
  recordPlayed(place: number): string[] {
    const known = Math.min(place, this.sent);
    let start = this.played;
    let count = 0;
    for (const { audio } of this.pieces) {
      if (start + audio.length > known) break;
      start += audio.length;
      count += 1;
    }
    this.pieces.splice(0, count);
    this.given -= count;
    this.played = start;
    const reached = this.marks.filter((mark) => mark.place <= start);
    this.marks.splice(0, reached.length);
    return reached.map(({ name }) => name);
  }

  /** Resends the audio after this position, which the browser has not received. */
  resendAfter(place: number): void {
    let at = this.played;
    let count = 0;
    for (const { audio } of this.pieces.slice(0, this.given)) {
      if (at + audio.length > place) break;
      at += audio.length;
      count += 1;
    }
    this.given = count;
    this.sent = at;
  }

  /** Discards unplayed audio. @returns the pending marks, and the position at which audio continues */
  clear(): { marks: string[]; place: number } {
    const marks = this.marks.map(({ name }) => name);
    this.pieces = [];
    this.marks = [];
    this.given = 0;
    this.played = this.end = this.sent;
    return { marks, place: this.sent };
  }

  private get hasRoom(): boolean {
    return this.sent - this.played < WINDOW_BYTES;
  }
}
