import { WebSocket } from 'ws';
import { SpeechError } from '../speech-error.js';
import type { MessageQueue } from './message-queue.js';

/** Maximum size of a message: 10 s of audio as base64. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** In error messages. */
const SOCKET_NAME = 'The speech socket';

export interface SocketAddress {
  /** `ws:` or `wss:`, with all query parameters of the provider. */
  url: string;
  headers: Record<string, string>;
}

/** A socket to a speech provider. It has one reader at a time. */
export class SpeechSocket {
  private readonly socket: WebSocket;
  private reader: MessageQueue | null = null;
  private failure: SpeechError | null = null;
  /** Requests sent over this socket, and those cancelled since the last complete one. */
  requestCount = 0;
  cancelledCount = 0;

  constructor(address: SocketAddress, connectTimeoutMs: number, onClosed: (socket: SpeechSocket) => void) {
    this.socket = new WebSocket(address.url, {
      headers: address.headers,
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: connectTimeoutMs,
      perMessageDeflate: false,
    });
    this.socket.on('message', (data: Buffer, isBinary) => this.reader?.push({ data, isBinary }));
    this.socket.on('unexpected-response', (_request, response) => {
      response.resume();
      this.fail(SpeechError.fromStatus(SOCKET_NAME, response.statusCode ?? 0));
      this.socket.terminate();
    });
    this.socket.on('error', (cause) =>
      this.fail(new SpeechError(`${SOCKET_NAME} failed`, true, null, { cause })),
    );
    this.socket.on('close', (code) => {
      this.fail(closedWith(code));
      onClosed(this);
    });
  }

  get isOpen(): boolean {
    return this.failure === null && this.socket.readyState === WebSocket.OPEN;
  }

  /** Sets the receiver of further messages; null: none. */
  setReader(reader: MessageQueue | null): void {
    this.reader = reader;
    if (this.failure) reader?.fail(this.failure);
  }

  /** Sends in the order of the calls; before the socket is open, when it opens. */
  send(messages: readonly object[]): void {
    const write = (): void => {
      if (this.isOpen) for (const message of messages) this.socket.send(JSON.stringify(message));
    };
    if (this.socket.readyState === WebSocket.CONNECTING) this.socket.once('open', write);
    else write();
  }

  terminate(): void {
    this.socket.terminate();
  }

  private fail(error: SpeechError): void {
    this.failure ??= error;
    this.reader?.fail(this.failure);
  }
}

/** Servers close with 1003, 1007, 1008 or 1009 for an invalid request: not retryable. */
const closedWith = (code: number): SpeechError =>
  new SpeechError(`${SOCKET_NAME} was closed: ${code}`, ![1003, 1007, 1008, 1009].includes(code));
