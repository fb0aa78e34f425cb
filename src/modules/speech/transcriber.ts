import type { AudioFormat } from '#src/modules/media/audio-line.js';
import type { SpeechError } from './speech-error.js';
import type { ProviderAccess } from './speech-provider.js';

export interface TranscriptionOptions {
  provider: ProviderAccess;
  format: AudioFormat;
  /** BCP 47 */
  language: string;
  /** Silence after which the customer has finished, in milliseconds. */
  turnEndMs: number;
  /** `ai`: a provider that can tells by what was said whether the customer has finished. */
  endpointType: 'vad' | 'ai';
}

/**
 * `partial`: what was understood so far of an utterance. `final`: all of it, empty where it has no words. `failed`: the
 * stream is over, and the audio that was not transcribed is lost.
 */
export type TranscriptionEvent =
  | { kind: 'partial'; text: string }
  | { kind: 'final'; text: string }
  | { kind: 'failed'; error: SpeechError };

/** Turns the audio of one call into text. Nothing happens after `close()`, nor after it failed. */
export interface TranscriptionStream {
  /** All of the customer's audio, silence included, in the line's format. */
  write(audio: Buffer): void;
  /** The voice detection heard the customer begin; the audio of the last 300 ms belongs to it. */
  speechStarted(): void;
  /** The customer has finished: what was said is transcribed now. */
  speechEnded(): void;
  close(): void;
}

/** Speech to text. */
export abstract class Transcriber {
  /** Whether it tells by what was said when the customer has finished. */
  readonly endsTurns: boolean = false;

  /** Never throws: what goes wrong is a `failed` event. Events come later, never before it returns. */
  abstract open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream;
}
