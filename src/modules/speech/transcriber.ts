import type { AudioFormat } from '#src/modules/media/audio-line.js';
import type { SpeechError } from './speech-error.js';
import type { ProviderAccess } from './speech-provider.js';

export interface TranscriptionOptions {
  provider: ProviderAccess;
  format: AudioFormat;
  /** BCP 47 */
  language: string;
  /** Silence that ends the customer's turn, in milliseconds. */
  endOfTurnSilenceMs: number;
  /** `ai`: a provider that supports it detects the end of the turn by the meaning of the words. */
  endpointType: 'vad' | 'ai';
  /** A provider that can keeps numbers out of the words, because the language model does not get them. */
  redacts?: boolean | undefined;
}

/**
 * `partial`: the interim transcript of an utterance, empty where its audio so far has no words. `final`: all of it, empty without words. `failed`: the
 * stream is over, and the audio that was not transcribed is lost.
 */
export type TranscriptionEvent =
  | { kind: 'partial'; text: string }
  | { kind: 'final'; text: string }
  | { kind: 'failed'; error: SpeechError };

/** Turns the audio of one call into text. Nothing happens after `close()`, nor after it failed. */
export interface TranscriptionStream {
  /** The customer's audio, silence included, in the line's format. */
  write(audio: Buffer): void;
  /** The voice detection found the start of speech; the audio of the last 300 ms belongs to it. */
  speechStarted(): void;
  /**
   * Sends the interim transcript of a voice that goes on. Absent: the stream sends them by itself. A copy of the audio is
   * transcribed; without a transcript of it nothing is sent.
   */
  transcribeSoFar?(): void;
  /**
   * The customer has finished: the utterance is transcribed now.
   *
   * @param isNoise a voice without words, whose final transcript is sent only with words
   */
  speechEnded(isNoise?: boolean): void;
  close(): void;
}

/** Speech to text. */
export abstract class Transcriber {
  /** Whether it detects the end of a turn by the meaning of the words. */
  readonly detectsEndOfTurn: boolean = false;
  /** Whether words are known while the customer speaks. */
  readonly sendsPartials: boolean = false;

  /** Whether it ends the turns, in place of the voice detection. */
  endsTurns({ endpointType }: Pick<TranscriptionOptions, 'endpointType'>): boolean {
    return this.detectsEndOfTurn && endpointType === 'ai';
  }

  /** Never throws: failures are `failed` events. Events are sent after it returns. */
  abstract open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream;
}
