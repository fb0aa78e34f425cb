import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { LineFaults } from '../callees/callee.js';

const HANDSHAKE_TIMEOUT_MS = 10_000;
const MAX_FRAME_BYTES = 64 * 1024;
/** Real milliseconds for which a lost socket is reconnected, when the document requests it. */
const RECONNECT_FOR_MS = 15_000;
const RECONNECT_DELAY_MS = 500;
/** Events buffered during a reconnection; later ones are lost. */
const MAX_BUFFERED = 500;

export interface ServiceSocketOptions {
  url: string;
  signature: string;
  /** `applicationReconnect="true"` */
  reconnects: boolean;
  fault: LineFaults['firstSocket'];
}

export interface ServiceSocketListener {
  /** `again`: after a reconnection. Frames sent here precede the buffered events. */
  opened(again: boolean): void;
  received(data: string, isBinary: boolean): void;
  /** An open socket broke, or was closed by the service. */
  lost(closeCode: number): void;
}

/** The final result of a socket. */
export interface SocketLoss {
  /** It was open once. */
  wasOpen: boolean;
  closeCode: number;
  problem: string;
}

const BROKEN = 1006;
const NEVER_OPENED: SocketLoss = {
  wasOpen: false,
  closeCode: BROKEN,
  problem: 'The WebSocket connection failed.',
};

/** The WebSocket to the service; the carrier opens it and, when requested, reconnects it. */
export class ServiceSocket {
  private socket: WebSocket | null = null;
  private wasOpen = false;
  private readonly unsent: string[] = [];

  constructor(
    private readonly options: ServiceSocketOptions,
    private readonly listener: ServiceSocketListener,
  ) {}

  /** Resolves when the socket is lost and not reconnected; rejects when the signal aborts. */
  async run(signal: AbortSignal): Promise<SocketLoss> {
    if (this.options.fault === 'never-opens') return NEVER_OPENED;
    let lastOpenAt = 0;
    for (;;) {
      const { opened, problem, closeCode } = await this.connect(signal);
      if (opened) lastOpenAt = Date.now();
      const goesOn = this.wasOpen && this.options.reconnects && Date.now() - lastOpenAt < RECONNECT_FOR_MS;
      if (!goesOn) return { wasOpen: this.wasOpen, closeCode, problem };
      await sleep(RECONNECT_DELAY_MS, undefined, { signal });
    }
  }

  send(frame: Record<string, unknown>): void {
    const text = JSON.stringify(frame);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.options.reconnects && this.unsent.length < MAX_BUFFERED) this.unsent.push(text);
  }

  /** A network failure. */
  break(): void {
    this.socket?.terminate();
  }

  close(): void {
    const { socket } = this;
    if (socket === null) return;
    this.socket = null;
    socket.removeAllListeners();
    // Closing a connecting socket makes it emit an error.
    socket.on('error', () => undefined);
    socket.close(1000);
    setTimeout(() => socket.terminate(), 1_000).unref();
  }

  /** Holds one connection until it is lost. */
  private async connect(
    signal: AbortSignal,
  ): Promise<{ opened: boolean; problem: string; closeCode: number }> {
    signal.throwIfAborted();
    const socket = new WebSocket(this.options.url, {
      headers: { 'x-twilio-signature': this.options.signature },
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
    });
    this.socket = socket;
    let hangUp = () => {};
    try {
      return await new Promise((resolve, reject) => {
        let opened = false;
        let problem = 'The WebSocket connection was closed.';
        hangUp = () => reject(signal.reason);
        signal.addEventListener('abort', hangUp);
        socket.on('open', () => {
          opened = true;
          this.open();
        });
        socket.on('message', (data, isBinary) => this.listener.received(String(data), isBinary));
        socket.on('error', (error) => (problem = error.message));
        socket.on('close', (closeCode) => {
          if (opened) this.listener.lost(closeCode);
          resolve({ opened, problem, closeCode });
        });
      });
    } finally {
      signal.removeEventListener('abort', hangUp);
    }
  }

  private open(): void {
    const again = this.wasOpen;
    this.wasOpen = true;
    this.listener.opened(again);
    for (const text of this.unsent.splice(0)) this.socket?.send(text);
  }
}
