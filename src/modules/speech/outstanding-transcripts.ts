import { LastWords } from './last-words.js';

const startTimer = (task: () => void, ms: number): (() => void) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};

/** Ended utterances of the customer whose transcript is outstanding, during a call and after it. */
export class OutstandingTranscripts {
  private count = 0;
  /** A provider that detects the end of a turn may send the transcript before the voice has ended. */
  private hasTranscript = false;
  private hasEndedCall = false;
  private readonly lastWords: LastWords;

  /**
   * @param transcribesEach as in `CallSession`
   * @param onOver the call has ended, and no transcript is waited for
   */
  constructor(
    private readonly transcribesEach: boolean,
    onOver: () => void,
  ) {
    this.lastWords = new LastWords(onOver);
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  markSpeechStarted(): void {
    this.hasTranscript = false;
  }

  markSpeechEnded(): void {
    if (!this.hasTranscript) this.count += 1;
  }

  markReceived(): void {
    this.hasTranscript ||= this.isEmpty;
    this.count = this.transcribesEach ? Math.max(0, this.count - 1) : 0;
    if (this.hasEndedCall && this.isEmpty) this.endWait();
  }

  /** The call has ended. @param mayFollow false: the transcripts are lost */
  startWait(mayFollow: boolean): void {
    this.hasEndedCall = true;
    if (this.isEmpty || !mayFollow) this.endWait();
    else this.lastWords.start(startTimer);
  }

  endWait(): void {
    this.lastWords.end();
  }

  /** Resolves at the end of the wait. */
  get waitOver(): Promise<void> {
    return this.lastWords.received;
  }
}
