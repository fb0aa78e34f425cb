import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SpeechError } from '../speech-error.js';
import { SYNTHESIS_RATE } from '../synthesizer.js';
import { MessageInbox, type SocketMessage } from './message-inbox.js';
import { type SocketAddress, SpeechSocket } from './speech-socket.js';

/** Milliseconds. As for requests: the customer waits for the first audio, and for each next one. */
const LIMITS = { openMs: 3_000, answerMs: 6_000, pauseMs: 5_000 };
/** Longer than most turns of the customer; providers close after 20 s. */
const IDLE_MS = 15_000;
/** Deepgram takes 20 flushes in a minute of one socket. */
const MAX_USES = 20;
/** What a provider still makes of speech that was given up counts against its limit of parallel contexts. */
const MAX_GIVEN_UP = 2;
/** Of one exchange: two minutes. */
const MAX_BYTES = 120 * SYNTHESIS_RATE * 2;

/** What a message brings. */
export interface SocketRead {
  audio?: Buffer;
  /** All of the audio has come. */
  done?: true;
}

/** One text to be spoken. */
export interface SpeechExchange {
  /** What is sent, in order. */
  begin: readonly object[];
  /** Sent when the speech is given up, so that the socket can be used again; without it the socket is closed. */
  giveUp?: readonly object[];
  /** Messages of other exchanges bring nothing. @throws SpeechError for an error of the provider */
  read(message: SocketMessage): SocketRead;
}

/** Sockets to speech providers, which are kept open between sentences, whatever the call is. */
@Injectable()
export class SpeechSocketsService implements OnApplicationShutdown {
  protected readonly limits = LIMITS;
  protected readonly idleMs: number = IDLE_MS;
  private readonly idle = new Map<string, { socket: SpeechSocket; close: NodeJS.Timeout }[]>();

  /** Ends early, without an error, when the signal aborts. @throws SpeechError */
  async *exchange(
    address: SocketAddress,
    { begin, giveUp, read }: SpeechExchange,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    if (signal.aborted) return;
    const key = JSON.stringify(address);
    const socket = this.take(key) ?? this.open(key, address);
    const inbox = new MessageInbox();
    const late = (): SpeechError => new SpeechError('The speech provider is silent', true);
    let [bytes, isWhole] = [0, false];
    socket.readBy(inbox);
    socket.send(begin);
    socket.uses += 1;
    try {
      while (!isWhole) {
        const limitMs = bytes === 0 ? this.limits.answerMs : this.limits.pauseMs;
        const message = await inbox.next(limitMs, late, signal);
        if (!message) return;
        const { audio, done = false } = read(message);
        isWhole = done;
        bytes += audio?.length ?? 0;
        if (bytes > MAX_BYTES) throw new SpeechError('The speech provider sends too much', false);
        if (audio && audio.length > 0) yield audio;
      }
    } finally {
      socket.readBy(null);
      if (isWhole) socket.givenUp = 0;
      else socket.givenUp += 1;
      const isUsable = isWhole || (signal.aborted && giveUp !== undefined && socket.givenUp <= MAX_GIVEN_UP);
      if (!isWhole && isUsable) socket.send(giveUp ?? []);
      if (isUsable && socket.isOpen && socket.uses < MAX_USES) this.keep(key, socket);
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

  private open(key: string, address: SocketAddress): SpeechSocket {
    return new SpeechSocket(address, this.limits.openMs, (socket) => this.forget(key, socket));
  }

  private take(key: string): SpeechSocket | undefined {
    const entry = this.idle.get(key)?.at(-1);
    if (!entry) return undefined;
    this.forget(key, entry.socket);
    return entry.socket;
  }

  private keep(key: string, socket: SpeechSocket): void {
    const close = setTimeout(() => socket.terminate(), this.idleMs);
    close.unref();
    this.idle.set(key, [...(this.idle.get(key) ?? []), { socket, close }]);
  }

  private forget(key: string, socket: SpeechSocket): void {
    const sockets = this.idle.get(key) ?? [];
    clearTimeout(sockets.find((entry) => entry.socket === socket)?.close);
    const others = sockets.filter((entry) => entry.socket !== socket);
    if (others.length > 0) this.idle.set(key, others);
    else this.idle.delete(key);
  }
}

/** A JSON message; null for one that is binary or none. */
export function jsonOf({ data, isBinary }: SocketMessage): Record<string, unknown> | null {
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
