import { AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { WebSocket, type RawData } from 'ws';
import type { CallSession, CallSessionEvent, SpeechOptions } from '../call-session.js';
import { parseRelayFrame } from './relay-frames.js';

/** A carrier that reads nothing for this long is disconnected; buffered speech would fill the memory. */
const MAX_UNSENT_BYTES = 256 * 1024;

/** A call session over the carrier's relay socket. */
export class RelayCallSession implements CallSession {
  private readonly logger = new Logger(RelayCallSession.name);
  private listener: ((event: CallSessionEvent) => void) | null = null;
  private early: CallSessionEvent[] = [];
  private endSent = false;
  /** The context of the conversation, whose log lines carry its call's id; a socket's events come without one. */
  private scope = new AsyncResource(RelayCallSession.name);

  constructor(private readonly socket: WebSocket) {
    socket.on('message', (data, isBinary) => this.scope.runInAsyncScope(() => this.receive(data, isBinary)));
    socket.on('close', () => this.scope.runInAsyncScope(() => this.emit({ kind: 'closed' })));
    // `close` follows every error; without a listener `error` would end the process.
    socket.on('error', () => undefined);
  }

  /** Whether the service asked the carrier to end the call. */
  get ended(): boolean {
    return this.endSent;
  }

  say(token: string, last: boolean, { interruptible, preemptible }: SpeechOptions): void {
    this.send({ type: 'text', token, last, interruptible, preemptible });
  }

  sendDigits(digits: string): void {
    this.send({ type: 'sendDigits', digits });
  }

  end(reason: string): void {
    this.send({ type: 'end', handoffData: JSON.stringify({ reason }) });
    this.endSent = true;
  }

  onEvent(listener: (event: CallSessionEvent) => void): void {
    this.listener = listener;
    this.scope = new AsyncResource(RelayCallSession.name);
    for (const event of this.early.splice(0)) listener(event);
  }

  private receive(data: RawData, isBinary: boolean): void {
    const event = isBinary ? null : parseRelayFrame(data.toString());
    // The carrier's text may quote the conversation, so only its error number is kept.
    if (event?.kind === 'failed')
      this.logger.warn(`The carrier reports an error: ${errorNumber(event.reason)}`);
    if (event) this.emit(event);
  }

  private emit(event: CallSessionEvent): void {
    if (this.listener) this.listener(event);
    else this.early.push(event);
  }

  private send(frame: object): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (this.socket.bufferedAmount > MAX_UNSENT_BYTES) return this.socket.terminate();
    this.socket.send(JSON.stringify(frame));
  }
}

const errorNumber = (text: string): string => /\b\d{5}\b/.exec(text)?.[0] ?? 'no number';
