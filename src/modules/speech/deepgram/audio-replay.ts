import { BYTES_PER_SAMPLE, SAMPLE_RATE, type AudioFormat } from '#src/modules/media/audio-line.js';

/** Longer than a provider takes for interim words; older audio is not transcribed again. */
export const REPLAYED_SECONDS = 8;

/** The last audio of a stream whose transcript is not final: another stream can transcribe it. */
export class AudioReplay {
  private pieces: Buffer[] = [];
  private bytes = 0;
  /** Bytes that the current stream has. */
  private written = 0;
  private readonly bytesPerSecond: number;

  constructor(format: AudioFormat) {
    this.bytesPerSecond = SAMPLE_RATE[format] * BYTES_PER_SAMPLE[format];
  }

  /** Seconds that the current stream has. */
  get seconds(): number {
    return this.written / this.bytesPerSecond;
  }

  /** Seconds of the current stream from which on the next one transcribes. */
  get startsAt(): number {
    return (this.written - this.bytes) / this.bytesPerSecond;
  }

  add(audio: Buffer): void {
    this.pieces.push(audio);
    this.bytes += audio.length;
    this.written += audio.length;
    this.keepLast(REPLAYED_SECONDS * this.bytesPerSecond);
  }

  /** @param seconds of the current stream with a final transcript */
  confirm(seconds: number): void {
    this.keepLast(Math.max(0, this.written - seconds * this.bytesPerSecond));
  }

  /** @returns what the next stream has to begin with */
  restart(): readonly Buffer[] {
    this.written = this.bytes;
    return [...this.pieces];
  }

  private keepLast(bytes: number): void {
    for (let [first] = this.pieces; first && this.bytes - first.length >= bytes; [first] = this.pieces) {
      this.pieces.shift();
      this.bytes -= first.length;
    }
  }
}
