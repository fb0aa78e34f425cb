import { audioMs, BYTES_PER_SAMPLE, SAMPLE_RATE, type AudioFormat } from '#src/modules/media/audio-line.js';

/** A voice is noticed some time after it began. */
const BEFORE_MS = 300;
/** A longer utterance is cut. */
const MAX_MS = 60_000;

/** Collects the audio of one utterance after the other. */
export class UtteranceAudio {
  private pieces: Buffer[] = [];
  private bytes = 0;
  private speaks = false;

  constructor(private readonly format: AudioFormat) {}

  begin(): void {
    this.speaks = true;
  }

  /** @returns an utterance that is too long to be waited for */
  write(piece: Buffer): Buffer[] {
    this.pieces.push(piece);
    this.bytes += piece.length;
    if (!this.speaks) this.forget();
    return this.speaks && audioMs(this.bytes, this.format) >= MAX_MS ? [this.take()] : [];
  }

  /** @returns the utterance, if one was begun */
  end(): Buffer[] {
    if (!this.speaks) return [];
    this.speaks = false;
    return [this.take()];
  }

  private take(): Buffer {
    const audio = Buffer.concat(this.pieces);
    this.pieces = [];
    this.bytes = 0;
    return audio;
  }

  private forget(): void {
    const limit = (BEFORE_MS * SAMPLE_RATE[this.format] * BYTES_PER_SAMPLE[this.format]) / 1000;
    for (let first = this.pieces[0]; first && this.bytes - first.length >= limit; first = this.pieces[0]) {
      this.pieces.shift();
      this.bytes -= first.length;
    }
  }
}
