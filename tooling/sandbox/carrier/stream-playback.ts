import { FRAME_BYTES, isSilence, SILENCE } from '../speech/speech-code.js';

/** Half an hour; further audio is discarded. */
const MAX_BUFFERED_BYTES = 30 * 60 * 8_000;

type Item = { kind: 'audio'; audio: Buffer } | { kind: 'mark'; name: string };

/** The carrier's buffer of the service's audio, with its marks. */
export class StreamPlayback {
  private items: Item[] = [];
  private bytes = 0;

  /** Whether audible audio is left. */
  get speaks(): boolean {
    return this.items.some((item) => item.kind === 'audio' && item.audio.some((byte) => !isSilence(byte)));
  }

  /** False when the buffer is full. */
  play(audio: Buffer): boolean {
    if (this.bytes + audio.length > MAX_BUFFERED_BYTES) return false;
    this.items.push({ kind: 'audio', audio });
    this.bytes += audio.length;
    return true;
  }

  mark(name: string): void {
    this.items.push({ kind: 'mark', name });
  }

  /** The next 20 ms, silence for an empty buffer, and the marks reached. */
  next(): { frame: Buffer; marks: string[] } {
    const frame = Buffer.alloc(FRAME_BYTES, SILENCE);
    const marks: string[] = [];
    let filled = 0;
    for (let item = this.items[0]; item !== undefined; item = this.items[0]) {
      if (item.kind === 'mark') marks.push(item.name);
      else if (filled === FRAME_BYTES) break;
      else filled += this.fill(frame, filled, item);
      if (item.kind === 'mark' || item.audio.length === 0) this.items.shift();
    }
    this.bytes -= filled;
    return { frame, marks };
  }

  /** Discards everything. @returns the marks in it */
  clear(): string[] {
    const marks = this.items.flatMap((item) => (item.kind === 'mark' ? [item.name] : []));
    this.items = [];
    this.bytes = 0;
    return marks;
  }

  private fill(frame: Buffer, at: number, item: Item & { kind: 'audio' }): number {
    const copied = item.audio.copy(frame, at);
    item.audio = item.audio.subarray(copied);
    return copied;
  }
}
