import { audioMs, BYTES_PER_SAMPLE, type AudioLine } from '#src/modules/media/audio-line.js';
import { PlaybackClock } from '#src/modules/media/playback-clock.js';
import { msPerCharacter } from '../../speech/speech-length.js';
import type { Clock } from '../engine/clock.js';
import type { SpokenAudio } from './spoken-audio.js';

/** Maximum audio between marks: playback is known to about a word. */
const MAX_PIECE_MS = 250;
/** Minimum audio between marks, except at the end of a speech: models send pieces of 20 ms. */
const MIN_MARKED_MS = 100;

/** Text that is long enough to measure the pace of the voice. */
const MIN_PACE_CHARACTERS = 15;

/** Audio sent to the line, up to its mark. */
interface SentAudio {
  /** Null: not marked yet; further audio of the speech is added. */
  mark: string | null;
  speech: SpokenAudio;
  start: number;
  /** Bytes of the speech played when the mark returns. */
  end: number;
  /** End of its playback by `playbackClock`. */
  endsAt: number;
}

/**
 * Plays speeches one after the other on an audio line and tracks their playback by marks. A mark follows each 100 to
 * 250 ms of audio and the end of a speech, and is named `generation:speech:endMs`; a stop starts a new generation, and
 * marks of earlier ones are ignored.
 */
export class AudioPlayback {
  private generation = 1;
  private readonly queue: SpokenAudio[] = [];
  private sent: SentAudio[] = [];
  private readonly playbackClock = new PlaybackClock();
  /** Milliseconds of a character of this voice, measured in so many characters; 0: not measured. */
  private pace = { ms: 0, characters: 0 };

  constructor(
    private readonly line: AudioLine,
    private readonly clock: Clock,
    /** Words were played. */
    private readonly onPlayed: (text: string) => void,
    /** Of the voice, 1 is normal. */
    private readonly speed = 1,
  ) {}

  /** The playing or next speech; undefined: none. */
  get currentSpeech(): SpokenAudio | undefined {
    return this.sent[0]?.speech ?? this.queue[0];
  }

  /** For how long the playing speech has been heard, in milliseconds. */
  get audibleMs(): number {
    const { currentSpeech } = this;
    if (!currentSpeech) return 0;
    const now = this.clock.now();
    const playing = this.sent.filter(({ speech }) => speech === currentSpeech);
    const played = playing.map(
      ({ end, endsAt }) => this.toMs(end) - this.playbackClock.remainingMs(endsAt, now),
    );
    return Math.max(this.playedMs(currentSpeech), ...played);
  }

  hasSpeech(speech: SpokenAudio): boolean {
    return this.queue.includes(speech) || this.sent.some((one) => one.speech === speech);
  }

  add(speech: SpokenAudio): void {
    this.queue.push(speech);
    this.sendAvailable();
  }

  /** Sends the received audio. Called when a speech has received audio or is complete. */
  sendAvailable(): void {
    for (let next = this.queue[0]; next; next = this.queue[0]) {
      this.send(next);
      if (!next.complete) return;
      this.queue.shift();
      // Its last mark may have returned before it was known to be the last.
      this.measurePace(next);
      if (next.isPlayed) this.reportWords(next);
    }
  }

  markReached(name: string): void {
    const index = this.sent.findIndex(({ mark }) => mark === name);
    const marked = this.sent[index];
    if (!marked) return;
    this.playbackClock.recordMark(marked.endsAt, this.clock.now() - (this.line.markLatencyMs ?? 0));
    for (const { speech, end } of this.sent.splice(0, index + 1)) {
      speech.played = end;
      this.reportWords(speech);
    }
  }

  /** Reports the words played by now, estimated by the clock beyond the last mark. */
  reportPlayed(): void {
    const now = this.line.brokenSince ?? this.clock.now();
    for (const { speech, end, endsAt } of this.sent) {
      const left = this.toBytes(this.playbackClock.remainingMs(endsAt, now));
      speech.played = Math.max(speech.played, end - left);
    }
    for (const speech of new Set(this.sent.map((one) => one.speech))) this.reportWords(speech);
  }

  /** Stops at once. @returns the speeches not played to their end, in order */
  stop(): SpokenAudio[] {
    this.reportPlayed();
    const stopped = [...new Set([...this.sent.map(({ speech }) => speech), ...this.queue])];
    this.generation += 1;
    this.sent = [];
    this.queue.length = 0;
    this.playbackClock.recordClear();
    this.line.clear();
    return stopped.filter((speech) => !speech.isPlayed);
  }

  /** Played milliseconds of a speech. */
  playedMs(speech: SpokenAudio): number {
    return this.toMs(speech.played);
  }

  /** Received milliseconds of audio. */
  lengthMs(speech: SpokenAudio): number {
    return this.toMs(speech.bytes);
  }

  /** Continues a stopped speech with its first unheard word. */
  resumeSpeech(speech: SpokenAudio): void {
    speech.rewind(BYTES_PER_SAMPLE[this.line.format], this.likelyCharacters(speech));
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

  /** The last sent audio without a mark. */
  private get unmarked(): SentAudio | undefined {
    const last = this.sent.at(-1);
    return last?.mark === null ? last : undefined;
  }

  private markLast(): void {
    const last = this.unmarked;
    if (!last) return;
    last.mark = `${this.generation}:${last.speech.name}:${Math.round(this.toMs(last.end))}`;
    this.line.mark(last.mark);
  }

  private measurePace({ isWhole, text, bytes }: SpokenAudio): void {
    if (!isWhole || text.length < MIN_PACE_CHARACTERS) return;
    const { ms, characters } = this.pace;
    const total = characters + text.length;
    this.pace = { ms: (ms * characters + this.toMs(bytes)) / total, characters: total };
  }

  private reportWords(speech: SpokenAudio): void {
    const words = speech.takePlayed(this.likelyCharacters(speech));
    if (words.trim() !== '') this.onPlayed(words);
    if (speech.isPlayed) speech.releaseAudio();
  }

  /** Characters in the received audio, at the pace of the complete speeches so far; before those, at the usual one. */
  likelyCharacters(speech: SpokenAudio): number {
    return this.lengthMs(speech) / (this.pace.ms || msPerCharacter(speech.text, this.speed));
  }

  private toMs(bytes: number): number {
    return audioMs(bytes, this.line.format);
  }

  private toBytes(ms: number): number {
    const sample = BYTES_PER_SAMPLE[this.line.format];
    return Math.floor(ms / audioMs(sample, this.line.format)) * sample;
  }
}
