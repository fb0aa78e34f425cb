import { OutstandingTranscripts } from './outstanding-transcripts.js';
import type { SpeechError } from './speech-error.js';
import type {
  Transcriber,
  TranscriptionEvent,
  TranscriptionOptions,
  TranscriptionStream,
} from './transcriber.js';

/** Consecutive failures after which the transcription provider is replaced. */
const MAX_FAILURES = 3;

export interface CallTranscriptionListener {
  transcribed(event: Exclude<TranscriptionEvent, { kind: 'failed' }>): void;
  /** The provider has failed, or words are lost, which would remain without a response. */
  failed(error: SpeechError): void;
}

/** The transcription of a call. Its stream is replaced after failures that lose no words, and for another language. */
export class CallTranscription {
  /** As in `CallSession`. */
  readonly transcribesEach: boolean;
  private readonly outstanding: OutstandingTranscripts;
  private stream: TranscriptionStream;
  private language: string;
  /** Of the stream. */
  private heardLanguage: string;
  private isSpeaking = false;
  private isClosed = false;
  private failures = 0;

  constructor(
    private readonly transcriber: Transcriber,
    private readonly options: TranscriptionOptions,
    private readonly on: CallTranscriptionListener,
  ) {
    this.transcribesEach = !transcriber.endsTurns(options);
    this.outstanding = new OutstandingTranscripts(this.transcribesEach, () => this.stream.close());
    this.language = this.heardLanguage = options.language;
    this.stream = this.open();
  }

  write(audio: Buffer): void {
    this.stream.write(audio);
  }

  speechStarted(): void {
    this.isSpeaking = true;
    this.outstanding.markSpeechStarted();
    this.stream.speechStarted();
  }

  transcribeSoFar(): void {
    this.stream.transcribeSoFar?.();
  }

  /** @param isNoise words may follow, but are not waited for */
  speechEnded(isNoise: boolean): void {
    this.isSpeaking = false;
    if (!isNoise) this.outstanding.markSpeechEnded();
    this.stream.speechEnded(isNoise);
    this.applyLanguage();
  }

  /** The voice that speaks is not the customer's. Words that follow are transcribed all the same. */
  markNoise(): void {
    this.isSpeaking = false;
    this.applyLanguage();
  }

  /** What the customer has begun to say is transcribed in the language before. @param language BCP 47 */
  switchLanguage(language: string): void {
    this.language = language;
    this.applyLanguage();
  }

  /** The call has ended. @param mayFollow false: the outstanding transcripts are lost */
  close(mayFollow: boolean): void {
    this.isClosed = true;
    this.outstanding.startWait(mayFollow);
  }

  /** Resolves when the call has ended, and no transcript is waited for. */
  get waitOver(): Promise<void> {
    return this.outstanding.waitOver;
  }

  private open(): TranscriptionStream {
    const options = { ...this.options, language: this.heardLanguage };
    const stream: TranscriptionStream = this.transcriber.open(options, (event) => {
      if (stream === this.stream) this.handleEvent(event);
    });
    return stream;
  }

  private reopen(): void {
    this.heardLanguage = this.language;
    this.stream.close();
    this.stream = this.open();
  }

  private applyLanguage(): void {
    const isSilent = !this.isSpeaking && this.outstanding.isEmpty;
    if (this.language !== this.heardLanguage && isSilent && !this.isClosed) this.reopen();
  }

  private handleEvent(event: TranscriptionEvent): void {
    if (event.kind === 'failed') return this.handleFailure(event.error);
    this.failures = 0;
    this.on.transcribed(event);
    if (event.kind === 'partial') return;
    this.outstanding.markReceived();
    this.applyLanguage();
  }

  private handleFailure(error: SpeechError): void {
    if (this.isClosed) return this.outstanding.endWait();
    this.failures += 1;
    if (!error.retryable || this.losesWords || this.failures >= MAX_FAILURES) this.on.failed(error);
    else this.reopen();
  }

  /** A failure in the midst of speech is that of one of its parts, where words are not known while it is spoken. */
  private get losesWords(): boolean {
    return !this.outstanding.isEmpty || (this.isSpeaking && !this.transcriber.sendsPartials);
  }
}
