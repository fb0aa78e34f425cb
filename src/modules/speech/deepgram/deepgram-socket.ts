import { WebSocket } from 'ws';
import { SpeechError } from '../speech-error.js';

/** Audio that comes before the socket is open: 5 s at 24 kHz. */
const MAX_EARLY_BYTES = 240_000;
/** A provider that reads nothing for this long is given up. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const MAX_MESSAGE_BYTES = 256 * 1024;

export interface DeepgramAddress {
  url: string;
  apiKey: string;
  openLimitMs: number;
}

export interface DeepgramListener {
  message(message: string): void;
  failed(error: SpeechError): void;
}

/** The socket of one transcription. Nothing happens after `close()`, nor after it failed. */
export class DeepgramSocket {
  private readonly socket: WebSocket;
  private early: (Buffer | string)[] = [];
  private earlyBytes = 0;
  private isOver = false;

  constructor(
    { url, apiKey, openLimitMs }: DeepgramAddress,
    private readonly on: DeepgramListener,
  ) {
    const socket = new WebSocket(url, {
      headers: { authorization: `Token ${apiKey}` },
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: openLimitMs,
      perMessageDeflate: false,
    });
    socket.on('open', () => this.opened());
    socket.on('message', (data, isBinary) => {
      if (!isBinary && !this.isOver) on.message(data.toString());
    });
    socket.on('error', (error) => this.fail(lost(error)));
    socket.on('close', () => this.fail(lost()));
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      this.fail(SpeechError.ofStatus('The transcription', statusCode));
    });
    this.socket = socket;
  }

  /** @param message audio, or a message as text */
  send(message: Buffer | string): void {
    if (this.isOver) return;
    if (this.socket.readyState === WebSocket.CONNECTING) return this.keep(message);
    if (this.socket.bufferedAmount > MAX_UNSENT_BYTES) return this.fail(lost());
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
  }

  /** @param last what is sent before */
  close(last: string): void {
    if (this.isOver) return;
    this.stop();
    if (this.socket.readyState !== WebSocket.OPEN) return this.socket.terminate();
    this.socket.send(last);
    this.socket.close();
  }

  fail(error: SpeechError): void {
    if (this.isOver) return;
    this.stop();
    this.socket.terminate();
    this.on.failed(error);
  }

  private opened(): void {
    for (const message of this.early.splice(0)) this.send(message);
  }

  private keep(message: Buffer | string): void {
    this.earlyBytes += message.length;
    if (this.earlyBytes <= MAX_EARLY_BYTES) this.early.push(message);
  }

  private stop(): void {
    this.isOver = true;
    this.early = [];
  }
}

const lost = (cause?: Error): SpeechError =>
  new SpeechError('The transcription was lost', true, null, cause && { cause });
