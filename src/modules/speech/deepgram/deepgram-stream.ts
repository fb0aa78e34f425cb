import type { AudioFormat } from '#src/modules/media/audio-line.js';
import type { SpeechError } from '../speech-error.js';
import type { TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { CLOSE_STREAM, FINALIZE, KEEP_ALIVE, parseTranscript } from './deepgram-messages.js';
import type { DeepgramSocketOptions } from './deepgram-socket.js';
import { ReplayingSocket } from './replaying-socket.js';
import { UtteranceWords } from './utterance-words.js';

/** Without audio or this message, Deepgram closes after 10 s. */
const KEEP_ALIVE_MS = 4_000;
/** An utterance ends with the known words when `Finalize` has no answer after this time: it need not have one. */
const FINALIZE_TIMEOUT_MS = 400;
/** The same while interim words are known: the last of them may be wrong, and the final ones follow. */
const INTERIM_TIMEOUT_MS = 1_200;
/** The same while no words are known. */
const NO_WORDS_TIMEOUT_MS = 1_000;

/** The transcription of one call. Each end of the customer's speech has one final transcript, that of noise none. */
export class DeepgramStream implements TranscriptionStream {
  private readonly words = new UtteranceWords();
  private readonly socket: ReplayingSocket;
  private readonly keepAliveTimer: NodeJS.Timeout;
  private closingTimer: NodeJS.Timeout | undefined;
  private isSpeaking = false;
  /** The customer has finished, and the final transcript is outstanding. */
  private awaitsEnd = false;
  /** Deepgram ended an utterance since the customer began to speak. */
  private hasFinal = false;

  constructor(
    address: DeepgramSocketOptions & { format: AudioFormat },
    private readonly onEvent: (event: TranscriptionEvent) => void,
  ) {
    this.socket = new ReplayingSocket(address, {
      onMessage: (message) => this.handleMessage(message),
      onReplaced: () => this.handleReplacement(),
      onFailure: (error) => this.handleFailure(error),
    });
    this.keepAliveTimer = setInterval(() => this.socket.send(KEEP_ALIVE), KEEP_ALIVE_MS);
  }

  write(audio: Buffer): void {
    this.socket.write(audio);
  }

  speechStarted(): void {
    this.isSpeaking = true;
    this.hasFinal = false;
    this.socket.speechStarted();
    if (!this.awaitsEnd) clearTimeout(this.closingTimer);
  }

  speechEnded(isNoise = false): void {
    if (this.awaitsEnd) this.endUtterance();
    this.isSpeaking = false;
    this.socket.speechEnded();
    this.socket.send(FINALIZE);
    // Deepgram has found the end before, and nothing was said since. The end of noise would end newer speech.
    if ((this.hasFinal || isNoise) && this.words.isEmpty) return;
    this.awaitsEnd = true;
    this.startClosing();
  }

  close(): void {
    this.stopTimers();
    this.socket.close(CLOSE_STREAM);
  }

  private handleMessage(message: string): void {
    const result = parseTranscript(message);
    if (!result) return;
    const { text, isFinal, endsUtterance, isFinalized, endsAt } = result;
    const before = this.words.text;
    this.words.add(text, isFinal);
    if (text !== '') this.socket.recordWords();
    const hasCaughtUp = endsAt !== null && this.socket.report(endsAt);
    if (isFinal && endsAt !== null) this.socket.confirm(endsAt);
    // A late answer to `Finalize` does not end newer speech.
    const isAnswer = isFinalized && (this.awaitsEnd || !this.isSpeaking);
    if (isFinal && (endsUtterance || isAnswer) && (this.awaitsEnd || !this.words.isEmpty))
      return this.endUtterance();
    // The answer to `Finalize` is next.
    if ((hasCaughtUp || isFinal) && this.awaitsEnd && !this.words.isEmpty) this.startClosing();
    // Interim words that are repeated are no sign of speech.
    if (this.words.isEmpty || this.words.text === before) return;
    this.onEvent({ kind: 'partial', text: this.words.text });
    // The voice detection does not hear this speech, or it has ended.
    if (!this.isSpeaking && (!this.awaitsEnd || before === '')) this.startClosing();
  }

  /** The words so far are final; further ones are another utterance. */
  private endUtterance(): void {
    clearTimeout(this.closingTimer);
    if (this.isSpeaking && !this.awaitsEnd) this.hasFinal = true;
    this.awaitsEnd = false;
    this.onEvent({ kind: 'final', text: this.words.take() });
  }

  private startClosing(ms = this.closingMs): void {
    clearTimeout(this.closingTimer);
    this.closingTimer = setTimeout(() => this.closeUtterance(), ms);
  }

  private get closingMs(): number {
    if (!this.awaitsEnd || this.words.isEmpty) return NO_WORDS_TIMEOUT_MS;
    return this.words.isFinal ? FINALIZE_TIMEOUT_MS : INTERIM_TIMEOUT_MS;
  }

  private closeUtterance(): void {
    if (!this.socket.awaitsResults && !this.socket.isSilent) return this.endUtterance();
    this.startClosing(FINALIZE_TIMEOUT_MS);
    if (this.socket.isSilent) this.socket.replaceSilent();
  }

  private handleReplacement(): void {
    if (!this.awaitsEnd) return;
    this.socket.send(FINALIZE);
    this.startClosing();
  }

  /** The words are known, and the audio after them is lost. */
  private handleFailure(error: SpeechError): void {
    this.stopTimers();
    if (!this.words.isEmpty) this.endUtterance();
    this.onEvent({ kind: 'failed', error });
  }

  private stopTimers(): void {
    clearInterval(this.keepAliveTimer);
    clearTimeout(this.closingTimer);
  }
}
