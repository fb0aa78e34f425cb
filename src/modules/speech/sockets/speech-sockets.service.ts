import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SpeechError } from '../speech-error.js';
import { SYNTHESIS_RATE } from '../synthesizer.js';
import { MessageQueue, type SocketMessage } from './message-queue.js';
import { type SocketAddress, SpeechSocket } from './speech-socket.js';

/** Milliseconds, short because the customer waits. */
const TIMEOUTS = { connectMs: 3_000, responseMs: 6_000, readMs: 2_500 };
/** Longer than most turns of the customer; providers close idle sockets after 20 s. */
const IDLE_MS = 15_000;
/** Deepgram accepts 20 flushes in a minute of one socket. */
const MAX_REQUESTS_PER_SOCKET = 20;
/** Cancelled speech may still count against the provider's limit of parallel contexts. */
const MAX_CANCELLED_REQUESTS = 2;
/** Of one request, in bytes: two minutes. */
const MAX_BYTES = 120 * SYNTHESIS_RATE * 2;

/** The content of one message of the provider. */
export interface SpeechChunk {
  audio?: Buffer;
  /** All audio was sent. */
  done?: true;
}

/** The synthesis of one text over a socket. */
export interface SpeechSocketRequest {
  /** Sent at the start, in order. */
  startMessages: readonly object[];
  /** Sent when they are known: the rest of the text. The audio ends after them. */
  restMessages?: Promise<readonly object[]> | undefined;
  /**
   * What cancels the speech, so that the socket can be reused; without it the socket is closed.
   *
   * @param isSent whether all messages before were sent
   */
  cancelMessages?(isSent: boolean): readonly object[];
  /** Messages of other requests have no content. @throws SpeechError for an error of the provider */
  parseMessage(message: SocketMessage): SpeechChunk;
}

/** Sockets to speech providers, shared by all calls and kept open between sentences. */
@Injectable()
export class SpeechSocketsService implements OnApplicationShutdown {
  protected readonly timeouts = TIMEOUTS;
  protected readonly idleMs: number = IDLE_MS;
  private readonly idle = new Map<string, { socket: SpeechSocket; close: NodeJS.Timeout }[]>();

  /** Ends early, without an error, when the signal aborts. @throws SpeechError */
  async *streamSpeech(
    address: SocketAddress,
    { startMessages, restMessages, cancelMessages, parseMessage }: SpeechSocketRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    if (signal.aborted) return;
    const key = JSON.stringify(address);
    const socket = this.takeIdle(key) ?? this.openSocket(key, address);
    const inbox = new MessageQueue();
    const timeoutError = (): SpeechError => new SpeechError('The speech provider is silent', true);
    let [bytes, isComplete, isSent, isOver] = [0, false, !restMessages, false];
    socket.setReader(inbox);
    socket.send(startMessages);
    void restMessages?.then((messages) => {
      if (isOver) return;
      isSent = true;
      socket.send(messages);
    });
    socket.requestCount += 1;
    try {
      while (!isComplete) {
        const limitMs = bytes === 0 ? this.timeouts.responseMs : this.timeouts.readMs;
        const message = await inbox.next(limitMs, timeoutError, signal);
        if (!message) return;
        const { audio, done = false } = parseMessage(message);
        isComplete = done;
        bytes += audio?.length ?? 0;
        if (bytes > MAX_BYTES) throw new SpeechError('The speech provider sends too much', false);
        if (audio && audio.length > 0) yield audio;
      }
    } finally {
      isOver = true;
      socket.setReader(null);
      if (isComplete) socket.cancelledCount = 0;
      else socket.cancelledCount += 1;
      const isUsable =
        isComplete ||
        (signal.aborted && cancelMessages !== undefined && socket.cancelledCount <= MAX_CANCELLED_REQUESTS);
      if (!isComplete && isUsable) socket.send(cancelMessages?.(isSent) ?? []);
      if (isUsable && socket.isOpen && socket.requestCount < MAX_REQUESTS_PER_SOCKET)
        this.keepIdle(key, socket);
      else socket.terminate();
    }
  }

  onApplicationShutdown(): void {
    for (const sockets of this.idle.values())
      for (const { socket, close } of sockets) {
        clearTimeout(close);
        socket.terminate();
      }
    this.idle.clear();
  }

  private openSocket(key: string, address: SocketAddress): SpeechSocket {
    return new SpeechSocket(address, this.timeouts.connectMs, (socket) => this.removeIdle(key, socket));
  }

  private takeIdle(key: string): SpeechSocket | undefined {
    const entry = this.idle.get(key)?.at(-1);
    if (!entry) return undefined;
    this.removeIdle(key, entry.socket);
    return entry.socket;
  }

  private keepIdle(key: string, socket: SpeechSocket): void {
    const close = setTimeout(() => socket.terminate(), this.idleMs);
    close.unref();
    this.idle.set(key, [...(this.idle.get(key) ?? []), { socket, close }]);
  }

  private removeIdle(key: string, socket: SpeechSocket): void {
    const sockets = this.idle.get(key) ?? [];
    clearTimeout(sockets.find((entry) => entry.socket === socket)?.close);
    const others = sockets.filter((entry) => entry.socket !== socket);
    if (others.length > 0) this.idle.set(key, others);
    else this.idle.delete(key);
  }
}

/** The object of a JSON message; null for binary or other messages. */
export function parseJson({ data, isBinary }: SocketMessage): Record<string, unknown> | null {
  if (isBinary) return null;
  try {
    const message: unknown = JSON.parse(data.toString('utf8'));
    return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export const socketUrl = (baseUrl: string, path: string, query: Record<string, string> = {}): string => {
  const search = new URLSearchParams(query).toString();
  return `${baseUrl.replace(/^http/, 'ws')}${path}${search && `?${search}`}`;
};
