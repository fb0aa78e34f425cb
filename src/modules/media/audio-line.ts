/**
 * Encoding of the audio of a line. `pcmu-8000`: µ-law, one byte a sample, 8 kHz (telephone). `pcm16-24000`: signed
 * 16-bit little-endian samples, 24 kHz (browser). Always one channel.
 */
export type AudioFormat = 'pcmu-8000' | 'pcm16-24000';

export const SAMPLE_RATE: Record<AudioFormat, number> = { 'pcmu-8000': 8_000, 'pcm16-24000': 24_000 };
export const BYTES_PER_SAMPLE: Record<AudioFormat, number> = { 'pcmu-8000': 1, 'pcm16-24000': 2 };

/** How long a piece of audio plays, in milliseconds. */
export const audioMs = (bytes: number, format: AudioFormat): number =>
  (bytes * 1000) / (SAMPLE_RATE[format] * BYTES_PER_SAMPLE[format]);

/** Keys in audio: a tone, the pause after it, and letters for a wait. */
export const KEY_TONE_MS = 100;
export const KEY_PAUSE_MS = 100;
export const KEY_WAITS_MS: Record<string, number> = { w: 500, W: 1_000 };

/** How long a line that presses keys by their tones takes for them, in milliseconds. */
export const keyTonesMs = (digits: string): number =>
  Array.from(digits).reduce((ms, key) => ms + (KEY_WAITS_MS[key] ?? KEY_TONE_MS + KEY_PAUSE_MS), 0);

/**
 * Events of an audio line.
 *
 * `audio`: the customer's audio, in pieces of about 20 ms. `mark`: all audio sent before the mark was played, or was
 * cleared. `digit`: a key of the customer's telephone. `interrupted`: the customer stops the playback by a button.
 * `text`: a written message of the customer. `closed`: as in `CallSessionEvent`.
 */
export type AudioLineEvent =
  | { kind: 'audio'; audio: Buffer }
  | { kind: 'mark'; name: string }
  | { kind: 'digit'; digit: string }
  | { kind: 'interrupted' }
  | { kind: 'text'; text: string }
  | { kind: 'closed'; playsOn?: true };

/**
 * The bidirectional audio of a running call (Twilio: a media stream), independent of transport: the carrier's media
 * stream, a browser's socket and the test fake implement it. Method calls after it closed are ignored.
 */
export interface AudioLine {
  readonly format: AudioFormat;
  /** When it was opened, in milliseconds since the epoch. */
  readonly openedAt: number;
  /** Since when nothing is played because the connection is broken; null, or absent: it is whole. */
  readonly brokenSince?: number | null;
  /** How long marks are on their way, beyond the playback of their audio; absent: not known. */
  readonly markLatencyMs?: number;
  /** Plays audio of the line's format after all that was sent before. */
  play(audio: Buffer): void;
  /** Is sent back as a `mark` event. @param name at most 100 characters */
  mark(name: string): void;
  /** Discards unplayed audio; its marks return at once. */
  clear(): void;
  /** Presses keys, where the line can; others ignore it. */
  sendDigits(digits: string): void;
  /**
   * Shows captions, where the line can: words of the assistant when they were played, of the customer when they are
   * recognised. `final`: all words of the customer's utterance, in place of the pieces before.
   */
  caption?(who: 'assistant' | 'customer', text: string, final: boolean): void;
  /** Ends the call; the reason is handed to the carrier's action URL. */
  end(reason: string): void;
  /** The call continues over another line, where it can. Ended lines need not be released. */
  release?(): void;
  /** Sets the only listener, which first receives the events before its registration. */
  onEvent(listener: (event: AudioLineEvent) => void): void;
}
