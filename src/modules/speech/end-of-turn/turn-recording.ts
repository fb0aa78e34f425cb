/** What an end-of-turn model is given of a turn. */
const MAX_MS = 8_000;
/** Audio before the detected beginning of a turn that belongs to it. */
const LEAD_MS = 300;
/** Audio behind `MAX_MS` after which the buffer is moved: not with each frame. */
const SLACK_MS = 2_000;

/** The last seconds of the customer's present turn. */
export class TurnRecording {
  private readonly buffer: Int16Array;
  private readonly maxSamples: number;
  /** Of the turn, and of the audio. */
  private start = 0;
  private end = 0;

  constructor(private readonly sampleRate: number) {
    this.maxSamples = this.toSamples(MAX_MS);
    this.buffer = new Int16Array(this.toSamples(MAX_MS + SLACK_MS));
  }

  push(samples: Int16Array): void {
    const last = samples.subarray(-this.maxSamples);
    if (this.end + last.length > this.buffer.length) this.compact(last.length);
    this.buffer.set(last, this.end);
    this.end += last.length;
  }

  /** A turn begins with the present voice. */
  beginTurn(): void {
    this.start = Math.max(this.start, this.end - this.toSamples(LEAD_MS));
  }

  /** A copy. */
  take(): Int16Array {
    return this.buffer.slice(Math.max(this.start, this.end - this.maxSamples), this.end);
  }

  /** @param room samples that follow */
  private compact(room: number): void {
    const kept = Math.min(this.end, this.maxSamples, this.buffer.length - room);
    const from = this.end - kept;
    this.buffer.copyWithin(0, from, this.end);
    this.start = Math.max(0, this.start - from);
    this.end = kept;
  }

  private toSamples(ms: number): number {
    return (ms * this.sampleRate) / 1000;
  }
}
