import {
  BYTES_PER_SAMPLE,
  keyTonesMs,
  SAMPLE_RATE,
  type AudioFormat,
  type AudioLine,
  type AudioLineEvent,
} from '#src/modules/media/audio-line.js';
import { AmbientSoundGenerator } from './ambient-sound-generator.js';
import { encodeAudio, decodeAudio } from './audio-format.js';

const CHUNK_MS = 50;
/**
 * The sound of pauses is sent this long before its playback; speech after silence is delayed by it. Speech is sent as
 * soon as it is received, so that its sender controls the buffer.
 */
const AHEAD_MS = 150;

/** A line with a background sound, under speech and in the pauses. */
export class AmbientLine implements AudioLine {
  readonly format: AudioFormat;
  readonly openedAt: number;
  /** Audio, and the names of marks. */
  private queue: (Buffer | string)[] = [];
  /** Up to when the line has audio, in milliseconds since the epoch. */
  private sentUntil = 0;
  private listener: (event: AudioLineEvent) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  private constructor(
    private readonly line: AudioLine,
    private readonly sound: AmbientSoundGenerator,
  ) {
    this.format = line.format;
    this.openedAt = line.openedAt;
    this.send();
  }

  /** @param kind a value of `ambient_sound`; without sound the line is returned as it is. @param volume 0–1 */
  static wrap(line: AudioLine, kind: string, volume: number): AudioLine {
    const sound = AmbientSoundGenerator.create(kind, volume, SAMPLE_RATE[line.format]);
    return sound ? new AmbientLine(line, sound) : line;
  }

  get brokenSince(): number | null {
    return this.line.brokenSince ?? null;
  }

  get markLatencyMs(): number {
    return this.line.markLatencyMs ?? 0;
  }

  play(audio: Buffer): void {
    this.queue.push(audio);
  }

  mark(name: string): void {
    this.queue.push(name);
  }

  clear(): void {
    const marks = this.queue.filter((item) => typeof item === 'string');
    this.queue = [];
    this.line.clear();
    this.sentUntil = 0;
    this.send();
    for (const name of marks) this.listener({ kind: 'mark', name });
  }

  /** No background sound during key tones: the other side has to recognise them. */
  sendDigits(digits: string): void {
    this.line.sendDigits(digits);
    this.sentUntil = Math.max(this.sentUntil, Date.now()) + keyTonesMs(digits);
  }

  caption(who: 'assistant' | 'customer', text: string, final: boolean): void {
    this.line.caption?.(who, text, final);
  }

  end(reason: string): void {
    this.stop();
    this.line.end(reason);
  }

  release(): void {
    this.stop();
    this.line.release?.();
  }

  onEvent(listener: (event: AudioLineEvent) => void): void {
    this.listener = listener;
    this.line.onEvent((event) => {
      if (event.kind === 'closed') this.stop();
      listener(event);
    });
  }

  private send(): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    const now = Date.now();
    this.sentUntil = Math.max(this.sentUntil, now);
    while (this.sentUntil < now + AHEAD_MS || this.queue.some(Buffer.isBuffer)) this.sendChunk();
    this.timer = setTimeout(() => this.send(), CHUNK_MS);
  }

  /** Sends a piece of the queued speech, or of silence, with the background sound. */
  private sendChunk(): void {
    this.sendMarks();
    const count = (SAMPLE_RATE[this.format] * CHUNK_MS) / 1000;
    const speech = decodeAudio(this.take(count * BYTES_PER_SAMPLE[this.format]), this.format);
    const samples = speech.length > 0 ? speech : new Int16Array(count);
    this.line.play(encodeAudio(this.sound.mixInto(samples), this.format));
    this.sentUntil += (samples.length * 1000) / SAMPLE_RATE[this.format];
    this.sendMarks();
  }

  private take(bytes: number): Buffer {
    const [first] = this.queue;
    if (!(first instanceof Buffer)) return Buffer.alloc(0);
    if (first.length > bytes) this.queue[0] = first.subarray(bytes);
    else this.queue.shift();
    return first.subarray(0, bytes);
  }

  private sendMarks(): void {
    for (let [first] = this.queue; typeof first === 'string'; [first] = this.queue) {
      this.queue.shift();
      this.line.mark(first);
    }
  }

  private stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.queue = [];
  }
}
