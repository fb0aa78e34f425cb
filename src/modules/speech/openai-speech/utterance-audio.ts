import { audioMs, BYTES_PER_SAMPLE, SAMPLE_RATE, type AudioFormat } from '#src/modules/media/audio-line.js';
import { decodeAudio } from '../audio/audio-format.js';
import { loudnessOf } from '../audio/frame-splitter.js';

/** Audio before the detected start of speech that belongs to it. */
const LEAD_IN_MS = 300;
/** A longer utterance is split, so that some of its words are known while the customer goes on … */
const MAX_PART_MS = 25_000;
/** … in the quietest moment of its end, which is longer than a sentence: people pause between sentences. */
const SEARCH_MS = 15_000;
const MOMENT_MS = 100;

/** Collects the audio of one utterance after the other. */
export class UtteranceAudio {
  private pieces: Buffer[] = [];
  private bytes = 0;
  private isSpeaking = false;

  constructor(private readonly format: AudioFormat) {}

  begin(): void {
    this.isSpeaking = true;
  }

  /** @returns a part of an utterance that has reached the maximum length */
  write(piece: Buffer): Buffer[] {
    this.pieces.push(piece);
    this.bytes += piece.length;
    if (!this.isSpeaking) this.trimLeadIn();
    if (!this.isSpeaking || audioMs(this.bytes, this.format) < MAX_PART_MS) return [];
    const audio = this.take();
    const end = this.findQuietestMoment(audio);
    this.pieces = [audio.subarray(end)];
    this.bytes = audio.length - end;
    return [audio.subarray(0, end)];
  }

  /** The utterance, or the rest of one that was split, so far. */
  get soFar(): Buffer {
    return Buffer.concat(this.pieces);
  }

  /** @returns the utterance, or the rest of one that was split, if one was begun */
  end(): Buffer[] {
    if (!this.isSpeaking) return [];
    this.isSpeaking = false;
    return [this.take()];
  }

  private take(): Buffer {
    const audio = this.soFar;
    this.pieces = [];
    this.bytes = 0;
    return audio;
  }

  /** The byte in its middle. */
  private findQuietestMoment(audio: Buffer): number {
    const moment = this.bytesOf(MOMENT_MS);
    let quietest = { at: audio.length, loudness: Infinity };
    for (let at = audio.length - moment; at >= audio.length - this.bytesOf(SEARCH_MS); at -= moment) {
      const loudness = loudnessOf(decodeAudio(audio.subarray(at, at + moment), this.format));
      if (loudness < quietest.loudness) quietest = { at: at + moment / 2, loudness };
    }
    return quietest.at;
  }

  private trimLeadIn(): void {
    const limit = this.bytesOf(LEAD_IN_MS);
    for (let first = this.pieces[0]; first && this.bytes - first.length >= limit; first = this.pieces[0]) {
      this.pieces.shift();
      this.bytes -= first.length;
    }
  }
  private bytesOf(ms: number): number {
    return (ms * SAMPLE_RATE[this.format] * BYTES_PER_SAMPLE[this.format]) / 1000;
  }
}
