import { audioMs, BYTES_PER_SAMPLE, type AudioLine } from '#src/modules/media/audio-line.js';
import { PlaybackClock } from '#src/modules/media/playback-clock.js';
import type { Clock } from '../engine/clock.js';
import { msPerCharacter } from '../engine/speech.js';
import type { SpokenAudio } from './spoken-audio.js';

/** A mark follows this much audio at the latest: what came back tells to about a word what was heard. */
const MAX_PIECE_MS = 250;
/** Less audio is not marked, except at the end of a speech: a model may send it in pieces of 20 ms. */
const MIN_MARKED_MS = 100;

/** A voice takes at least this share of the usual time for a character. */
const QUICKEST = 0.8;

/** Audio that the line was given, up to its mark. */
interface Sent {
  /** Null: it is not marked yet, and more audio of the speech belongs to it. */
  mark: string | null;
  speech: SpokenAudio;
  start: number;
  /** Bytes of the speech that are played when the mark comes back. */
  end: number;
  /** When it has been played, as `playbackClock` tells. */
  endsAt: number;
}

/**
 * Plays speeches one after the other on an audio line, and knows by its marks what was heard. A mark follows each 100
 * to 250 ms of audio and the end of a speech, and is named `generation:speech:endMs`; a stop begins a new generation,
 * and marks of earlier ones mean nothing.
 */
export class AudioPlayback {
  private generation = 1;
  private readonly queue: SpokenAudio[] = [];
  private sent: Sent[] = [];
  private readonly playbackClock = new PlaybackClock();

  constructor(
    private readonly line: AudioLine,
    private readonly clock: Clock,
    /** Words were played. */
    private readonly onPlayed: (text: string) => void,
    /** Of the voice, 1 is normal. */
    private readonly speed = 1,
  ) {}

  /** The speech that is playing or comes next; undefined: there is none. */
  get current(): SpokenAudio | undefined {
    return this.sent[0]?.speech ?? this.queue[0];
  }

  has(speech: SpokenAudio): boolean {
    return this.queue.includes(speech) || this.sent.some((one) => one.speech === speech);
  }

  add(speech: SpokenAudio): void {
    this.queue.push(speech);
    this.proceed();
  }

  /** Sends what has arrived: call it when a speech got audio, or became complete. */
  proceed(): void {
    for (let next = this.queue[0]; next; next = this.queue[0]) {
      this.send(next);
      if (!next.complete) return;
      this.queue.shift();
      // Its last mark may have come back before it was known to be the last.
      if (next.isPlayedWhole) this.tell(next);
    }
  }

  marked(name: string): void {
    const index = this.sent.findIndex(({ mark }) => mark === name);
    const marked = this.sent[index];
    if (!marked) return;
    this.playbackClock.recordMark(marked.endsAt, this.clock.now());
    for (const { speech, end } of this.sent.splice(0, index + 1)) {
      speech.played = end;
      this.tell(speech);
    }
  }

  /** Tells the words that were played by now, as far as they are not known by marks. */
  settle(): void {
    const now = this.line.brokenSince ?? this.clock.now();
    for (const { speech, end, endsAt } of this.sent) {
      const left = this.toBytes(this.playbackClock.remainingMs(endsAt, now));
      speech.played = Math.max(speech.played, end - left);
    }
    for (const speech of new Set(this.sent.map((one) => one.speech))) this.tell(speech);
  }

  /** Stops at once. @returns the speeches that were not heard to their end, in their order */
  stop(): SpokenAudio[] {
    this.settle();
    const stopped = [...new Set([...this.sent.map(({ speech }) => speech), ...this.queue])];
    this.generation += 1;
    this.sent = [];
    this.queue.length = 0;
    this.playbackClock.recordClear();
    this.line.clear();
    return stopped.filter((speech) => !speech.isPlayedWhole);
  }

  /** Milliseconds of a speech that were played. */
  playedMs(speech: SpokenAudio): number {
    return this.toMs(speech.played);
  }

  /** Milliseconds of audio that have arrived. */
  lengthMs(speech: SpokenAudio): number {
    return this.toMs(speech.bytes);
  }

  /** A speech that was stopped goes on at its first word that was not heard. */
  resume(speech: SpokenAudio): void {
    speech.rewind(BYTES_PER_SAMPLE[this.line.format], this.mostCharacters(speech));
    this.add(speech);
  }

  private send(speech: SpokenAudio): void {
    const audio = speech.takeUnsent();
    const start = speech.bytes - audio.length;
    const most = this.toBytes(MAX_PIECE_MS);
    for (let at = 0; at < audio.length;) {
      const last = this.unmarked ?? { mark: null, speech, start: start + at, end: start + at, endsAt: 0 };
      const piece = audio.subarray(at, at + most - (last.end - last.start));
      at += piece.length;
      this.line.play(piece);
      if (last.end === last.start) this.sent.push(last);
      last.end += piece.length;
      last.endsAt = this.playbackClock.recordSent(this.toMs(piece.length), this.clock.now());
      if (this.toMs(last.end - last.start) >= MIN_MARKED_MS) this.markLast();
    }
    if (speech.complete) this.markLast();
  }

  /** The last that was sent, when no mark followed it. */
  private get unmarked(): Sent | undefined {
    const last = this.sent.at(-1);
    return last?.mark === null ? last : undefined;
  }

  private markLast(): void {
    const last = this.unmarked;
    if (!last) return;
    last.mark = `${this.generation}:${last.speech.name}:${Math.round(this.toMs(last.end))}`;
    this.line.mark(last.mark);
  }

  private tell(speech: SpokenAudio): void {
    const words = speech.takePlayed(this.mostCharacters(speech));
    if (words.trim() !== '') this.onPlayed(words);
    if (speech.isPlayedWhole) speech.release();
  }

  /** That the audio of a speech may hold which has arrived. */
  private mostCharacters(speech: SpokenAudio): number {
    return this.lengthMs(speech) / (msPerCharacter(this.speed) * QUICKEST);
  }

  private toMs(bytes: number): number {
    return audioMs(bytes, this.line.format);
  }

  private toBytes(ms: number): number {
    const sample = BYTES_PER_SAMPLE[this.line.format];
    return Math.floor(ms / audioMs(sample, this.line.format)) * sample;
  }
}
