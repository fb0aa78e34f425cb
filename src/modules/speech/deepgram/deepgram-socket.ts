import { WebSocket } from 'ws';
import { SpeechError } from '../speech-error.js';

/** Buffer for audio until the socket is open: what is replayed, and 5 s more, at 24 kHz. */
const MAX_EARLY_BYTES = 624_000;
/** Unread bytes after which the provider counts as failed. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const MAX_MESSAGE_BYTES = 256 * 1024;

export interface DeepgramSocketOptions {
  url: string;
  apiKey: string;
  connectTimeoutMs: number;
}

export interface DeepgramListener {
  onMessage(message: string): void;
  onFailure(error: SpeechError): void;
}

/** The socket of one transcription. Nothing happens after `close()`, nor after it failed. */
export class DeepgramSocket {
  private readonly socket: WebSocket;
  private earlyMessages: (Buffer | string)[] = [];
  private earlyBytes = 0;
  private isClosed = false;
  private isOpened = false;

  constructor(
    { url, apiKey, connectTimeoutMs }: DeepgramSocketOptions,
    private readonly on: DeepgramListener,
  ) {
    const socket = new WebSocket(url, {
      headers: { authorization: `Token ${apiKey}` },
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: connectTimeoutMs,
      perMessageDeflate: false,
    });
    socket.on('open', () => {
      this.isOpened = true;
      this.sendEarly();
    });
    socket.on('message', (data, isBinary) => {
      if (!isBinary && !this.isClosed) on.onMessage(data.toString());
    });
    socket.on('error', (error) => this.fail(connectionLost(error)));
    socket.on('close', () => this.fail(connectionLost()));
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      this.fail(SpeechError.fromStatus('The transcription', statusCode));
    });
    this.socket = socket;
  }

  /** Whether the provider accepted it. */
  get wasOpen(): boolean {
    return this.isOpened;
  }

  /** @param message audio, or a message as text */
  send(message: Buffer | string): void {
    if (this.isClosed) return;
    if (this.socket.readyState === WebSocket.CONNECTING) return this.bufferEarly(message);
    if (this.socket.bufferedAmount > MAX_UNSENT_BYTES) return this.fail(connectionLost());
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
  }

  /** @param last sent before closing */
  close(last: string): void {
    if (this.isClosed) return;
    this.stop();
    if (this.socket.readyState !== WebSocket.OPEN) return this.socket.terminate();
    this.socket.send(last);
    this.socket.close();
  }

  fail(error: SpeechError): void {
    if (this.isClosed) return;
    this.stop();
    this.socket.terminate();
    this.on.onFailure(error);
  }

  private sendEarly(): void {
    for (const message of this.earlyMessages.splice(0)) this.send(message);
  }

  private bufferEarly(message: Buffer | string): void {
    this.earlyBytes += message.length;
    if (this.earlyBytes <= MAX_EARLY_BYTES) this.earlyMessages.push(message);
  }

  private stop(): void {
    this.isClosed = true;
    this.earlyMessages = [];
  }
}

const connectionLost = (cause?: Error): SpeechError =>
  new SpeechError('The transcription was lost', true, null, cause && { cause });
