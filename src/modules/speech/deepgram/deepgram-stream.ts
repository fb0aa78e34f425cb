import type { TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { CLOSE_STREAM, FINALIZE, KEEP_ALIVE, parseResult } from './deepgram-messages.js';
import { type DeepgramAddress, DeepgramSocket } from './deepgram-socket.js';

/** Without audio or this message, Deepgram closes after 10 s. */
const KEEP_ALIVE_MS = 4_000;

/** The transcription of one call over one socket. */
export class DeepgramStream implements TranscriptionStream {
  /** Final parts of the current utterance. */
  private parts: string[] = [];
  private readonly socket: DeepgramSocket;
  private readonly keepAlive: NodeJS.Timeout;

  constructor(
    address: DeepgramAddress,
    private readonly onEvent: (event: TranscriptionEvent) => void,
  ) {
    this.socket = new DeepgramSocket(address, {
      message: (message) => this.receive(message),
      failed: (error) => {
        clearInterval(this.keepAlive);
        onEvent({ kind: 'failed', error });
      },
    });
    this.keepAlive = setInterval(() => this.socket.send(KEEP_ALIVE), KEEP_ALIVE_MS);
  }

  write(audio: Buffer): void {
    this.socket.send(audio);
  }

  /** Deepgram listens all the time. */
  speechStarted(): void {}

  speechEnded(): void {
    this.socket.send(FINALIZE);
  }

  close(): void {
    clearInterval(this.keepAlive);
    this.socket.close(CLOSE_STREAM);
  }

  private receive(message: string): void {
    const result = parseResult(message);
    if (!result) return;
    const { text, isFinal, endsUtterance } = result;
    if (isFinal && text) this.parts.push(text);
    const whole = [...this.parts, ...(isFinal || !text ? [] : [text])].join(' ');
    const isWhole = isFinal && endsUtterance;
    if (isWhole) this.parts = [];
    if (isWhole || text) this.onEvent({ kind: isWhole ? 'final' : 'partial', text: whole });
  }
}
