import { WebSocket } from 'ws';
import { SpeechError } from '../speech-error.js';
import type { TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { CLOSE_STREAM, FINALIZE, KEEP_ALIVE, parseResult } from './deepgram-messages.js';

/** Without audio or this message, Deepgram closes after 10 s. */
const KEEP_ALIVE_MS = 4_000;
/** Audio that comes before the socket is open: 5 s at 24 kHz. */
const MAX_EARLY_BYTES = 240_000;
/** A provider that reads nothing for this long is given up. */
const MAX_UNSENT_BYTES = 1024 * 1024;

/** The transcription of one call over one socket. */
export class DeepgramStream implements TranscriptionStream {
  private early: (Buffer | string)[] = [];
  private earlyBytes = 0;
  /** Final parts of the current utterance. */
  private parts: string[] = [];
  private isOver = false;
  private readonly keepAlive: NodeJS.Timeout;

  constructor(
    private readonly socket: WebSocket,
    private readonly onEvent: (event: TranscriptionEvent) => void,
  ) {
    this.keepAlive = setInterval(() => this.send(KEEP_ALIVE), KEEP_ALIVE_MS);
    socket.on('open', () => this.opened());
    socket.on('message', (data, isBinary) => !isBinary && this.receive(data.toString()));
    socket.on('error', (error) => this.fail(lost(error)));
    socket.on('close', () => this.fail(lost()));
  }

  write(audio: Buffer): void {
    this.send(audio);
  }

  /** Deepgram listens all the time. */
  speechStarted(): void {}

  speechEnded(): void {
    this.send(FINALIZE);
  }

  close(): void {
    if (this.isOver) return;
    this.stop();
    if (this.socket.readyState !== WebSocket.OPEN) return this.socket.terminate();
    this.socket.send(CLOSE_STREAM);
    this.socket.close();
  }

  fail(error: SpeechError): void {
    if (this.isOver) return;
    this.stop();
    this.socket.terminate();
    this.onEvent({ kind: 'failed', error });
  }

  private opened(): void {
    for (const message of this.early.splice(0)) this.send(message);
  }

  private send(message: Buffer | string): void {
    if (this.isOver) return;
    if (this.socket.readyState === WebSocket.CONNECTING) return this.keep(message);
    if (this.socket.bufferedAmount > MAX_UNSENT_BYTES) return this.fail(lost());
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
  }

  private keep(message: Buffer | string): void {
    this.earlyBytes += message.length;
    if (this.earlyBytes <= MAX_EARLY_BYTES) this.early.push(message);
  }

  private receive(message: string): void {
    const result = this.isOver ? null : parseResult(message);
    if (!result) return;
    const { text, isFinal, endsUtterance } = result;
    if (isFinal && text) this.parts.push(text);
    const whole = [...this.parts, ...(isFinal || !text ? [] : [text])].join(' ');
    const isWhole = isFinal && endsUtterance;
    if (isWhole) this.parts = [];
    if (isWhole || text) this.onEvent({ kind: isWhole ? 'final' : 'partial', text: whole });
  }

  private stop(): void {
    this.isOver = true;
    clearInterval(this.keepAlive);
    this.early = [];
  }
}

const lost = (cause?: Error): SpeechError =>
  new SpeechError('The transcription was lost', true, null, cause && { cause });
