import type { TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { CLOSE_STREAM, FINALIZE, KEEP_ALIVE, parseTranscript } from './deepgram-messages.js';
import { type DeepgramSocketOptions, DeepgramSocket } from './deepgram-socket.js';

/** Without audio or this message, Deepgram closes after 10 s. */
const KEEP_ALIVE_MS = 4_000;

/** The transcription of one call over one socket. */
export class DeepgramStream implements TranscriptionStream {
  /** Final parts of the current utterance. */
  private finalParts: string[] = [];
  private readonly socket: DeepgramSocket;
  private readonly keepAliveTimer: NodeJS.Timeout;

  constructor(
    address: DeepgramSocketOptions,
    private readonly onEvent: (event: TranscriptionEvent) => void,
  ) {
    this.socket = new DeepgramSocket(address, {
      onMessage: (message) => this.handleMessage(message),
      onFailure: (error) => {
        clearInterval(this.keepAliveTimer);
        onEvent({ kind: 'failed', error });
      },
    });
    this.keepAliveTimer = setInterval(() => this.socket.send(KEEP_ALIVE), KEEP_ALIVE_MS);
  }

  write(audio: Buffer): void {
    this.socket.send(audio);
  }

  /** Deepgram needs no start of speech. */
  speechStarted(): void {}

  speechEnded(): void {
    this.socket.send(FINALIZE);
  }

  close(): void {
    clearInterval(this.keepAliveTimer);
    this.socket.close(CLOSE_STREAM);
  }

  private handleMessage(message: string): void {
    const result = parseTranscript(message);
    if (!result) return;
    const { text, isFinal, endsUtterance } = result;
    if (isFinal && text) this.finalParts.push(text);
    const whole = [...this.finalParts, ...(isFinal || !text ? [] : [text])].join(' ');
    const isWhole = isFinal && endsUtterance;
    if (isWhole) this.finalParts = [];
    if (isWhole || text) this.onEvent({ kind: isWhole ? 'final' : 'partial', text: whole });
  }
}
