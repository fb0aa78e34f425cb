import { audioMs, BYTES_PER_SAMPLE, SAMPLE_RATE, type AudioFormat } from '#src/modules/media/audio-line.js';

/** Audio before the detected start of speech that belongs to it. */
const LEAD_IN_MS = 300;
/** A longer utterance is split. */
const MAX_UTTERANCE_MS = 60_000;

/** Collects the audio of one utterance after the other. */
export class UtteranceAudio {
  private pieces: Buffer[] = [];
  private bytes = 0;
  private isSpeaking = false;

  constructor(private readonly format: AudioFormat) {}

  begin(): void {
    this.isSpeaking = true;
  }

  /** @returns an utterance that has reached the maximum length */
  write(piece: Buffer): Buffer[] {
    this.pieces.push(piece);
    this.bytes += piece.length;
    if (!this.isSpeaking) this.trimLeadIn();
    return this.isSpeaking && audioMs(this.bytes, this.format) >= MAX_UTTERANCE_MS ? [this.take()] : [];
  }

  /** @returns the utterance, if one was begun */
  end(): Buffer[] {
    if (!this.isSpeaking) return [];
    this.isSpeaking = false;
    return [this.take()];
  }

  private take(): Buffer {
    const audio = Buffer.concat(this.pieces);
    this.pieces = [];
    this.bytes = 0;
    return audio;
  }

  private trimLeadIn(): void {
    const limit = (LEAD_IN_MS * SAMPLE_RATE[this.format] * BYTES_PER_SAMPLE[this.format]) / 1000;
    for (let first = this.pieces[0]; first && this.bytes - first.length >= limit; first = this.pieces[0]) {
      this.pieces.shift();
      this.bytes -= first.length;
    }
  }
}
