import { WebSocket } from 'ws';
import { SpeechError } from '../speech-error.js';
import type { MessageInbox } from './message-inbox.js';

/** Of a message: 10 s of audio as base64. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Of a refusal. */
const WHAT = 'The speech socket';

export interface SocketAddress {
  /** `ws:` or `wss:`, with everything that the provider takes from it. */
  url: string;
  headers: Record<string, string>;
}

/** A socket to a speech provider. It has one reader at a time. */
export class SpeechSocket {
  private readonly socket: WebSocket;
  private reader: MessageInbox | null = null;
  private failure: SpeechError | null = null;
  /** Exchanges that were begun on it, and those of them that were given up since one was whole. */
  uses = 0;
  givenUp = 0;

  constructor(address: SocketAddress, openLimitMs: number, onClosed: (socket: SpeechSocket) => void) {
    this.socket = new WebSocket(address.url, {
      headers: address.headers,
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: openLimitMs,
      perMessageDeflate: false,
    });
    this.socket.on('message', (data: Buffer, isBinary) => this.reader?.push({ data, isBinary }));
    this.socket.on('unexpected-response', (_request, response) => {
      response.resume();
      this.fail(SpeechError.ofStatus(WHAT, response.statusCode ?? 0));
      this.socket.terminate();
    });
    this.socket.on('error', (cause) => this.fail(new SpeechError(`${WHAT} failed`, true, null, { cause })));
    this.socket.on('close', (code) => {
      this.fail(closedWith(code));
      onClosed(this);
    });
  }

  get isOpen(): boolean {
    return this.failure === null && this.socket.readyState === WebSocket.OPEN;
  }

  /** Who gets what comes from now on; null: nobody. */
  readBy(reader: MessageInbox | null): void {
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

/** A server that refuses what it was sent closes with 1003, 1007, 1008 or 1009; it would do so again. */
const closedWith = (code: number): SpeechError =>
  new SpeechError(`${WHAT} was closed: ${code}`, ![1003, 1007, 1008, 1009].includes(code));
