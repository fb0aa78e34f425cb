import {
  Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
  type TranscriptionStream,
} from './transcriber.js';

/** A transcriber with a limit: an utterance over it does not reach the provider, and ends like one without words. */
export class LimitedTranscriber extends Transcriber {
  override readonly detectsEndOfTurn: boolean;
  override readonly sendsPartials: boolean;

  /** @param takes whether an utterance that begins now is transcribed */
  constructor(
    private readonly transcriber: Transcriber,
    private readonly takes: () => boolean,
  ) {
    super();
    this.detectsEndOfTurn = transcriber.detectsEndOfTurn;
    this.sendsPartials = transcriber.sendsPartials;
  }

  override open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
  ): TranscriptionStream {
    return new LimitedTranscription(this.transcriber.open(options, onEvent), this.takes, onEvent);
  }
}

class LimitedTranscription implements TranscriptionStream {
  private utterance: 'none' | 'taken' | 'dropped' = 'none';
  private isClosed = false;

  constructor(
    private readonly stream: TranscriptionStream,
    private readonly takes: () => boolean,
    private readonly onEvent: (event: TranscriptionEvent) => void,
  ) {}

  /** Before an utterance is noticed, its beginning is written. */
  write(audio: Buffer): void {
    if (this.utterance === 'taken' || (this.utterance === 'none' && this.takes())) this.stream.write(audio);
  }

  speechStarted(): void {
    this.utterance = this.takes() ? 'taken' : 'dropped';
    if (this.utterance === 'taken') this.stream.speechStarted();
  }

  transcribeSoFar(): void {
    if (this.utterance === 'taken') this.stream.transcribeSoFar?.();
  }

  speechEnded(isNoise = false): void {
    const isDropped = this.utterance === 'dropped';
    this.utterance = 'none';
    if (!isDropped) return this.stream.speechEnded(isNoise);
    if (!isNoise) queueMicrotask(() => !this.isClosed && this.onEvent({ kind: 'final', text: '' }));
  }

  close(): void {
    this.isClosed = true;
    this.stream.close();
  }
}
