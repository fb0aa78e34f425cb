import { AsyncResource } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { WebSocket, type RawData } from 'ws';
import type { CallSession, CallSessionEvent, SpeechOptions } from '../call-session.js';
import { parseRelayFrame } from './relay-frames.js';

/** A carrier that reads nothing for this long is disconnected; buffered speech would fill the memory. */
const MAX_UNSENT_BYTES = 256 * 1024;

/** How long the carrier tries to open a broken socket again. */
const RECONNECT_LIMIT_MS = 15_000;
/** More than the frames of a response while its socket is broken. */
const MAX_UNSENT_FRAMES = 500;
/** Close code of a broken socket, as opposed to a closed one. */
const BROKEN = 1006;
/** The service stops: the carrier opens the socket again, at another process. */
const GOING_AWAY = 1001;

/** A call session over the carrier's relay socket, and over the sockets that replace a broken one. */
export class RelayCallSession implements CallSession {
  private readonly logger = new Logger(RelayCallSession.name);
  private listener: ((event: CallSessionEvent) => void) | null = null;
  private early: CallSessionEvent[] = [];
  /** The context of the conversation, whose log lines have the call's id; events of sockets have none. */
  private scope = new AsyncResource(RelayCallSession.name);

  private readonly unsent: string[] = [];
  /** A speech has begun and not ended. */
  private inSpeech = false;
  private onSpeechSent: () => void = () => undefined;
  private isLost = false;
  private isClosed = false;
  private cancelGiveUp: () => void = () => undefined;

  constructor(
    private socket: WebSocket,
    readonly openedAt = Date.now(),
  ) {
    this.attend(socket);
  }

  /** Whether the session can continue with another socket. */
  get open(): boolean {
    return !this.isClosed;
  }

  say(token: string, last: boolean, { interruptible, preemptible }: SpeechOptions): void {
    this.send({ type: 'text', token, last, interruptible, preemptible });
    this.inSpeech = !last;
    if (last) this.onSpeechSent();
  }

  /** Makes the carrier open the socket at another process: between two speeches, or after `limitMs`. */
  async moveToOtherProcess(limitMs: number): Promise<void> {
    if (this.isLost) return this.close({ kind: 'closed', playsOn: true });
    if (this.inSpeech) {
      const sent = new Promise<void>((resolve) => (this.onSpeechSent = resolve));
      await Promise.race([sent, sleep(limitMs, undefined, { ref: false })]);
    }
    // Until the carrier has answered the close, it may pass on words, and hears no answer to them.
    this.emit({ kind: 'leaving' });
    this.socket.close(GOING_AWAY);
  }

  sendDigits(digits: string): void {
    this.send({ type: 'sendDigits', digits });
  }

  switchLanguage(language: string): void {
    this.send({ type: 'language', ttsLanguage: language, transcriptionLanguage: language });
  }

  end(reason: string): void {
    this.send({ type: 'end', handoffData: JSON.stringify({ reason }) });
  }

  onEvent(listener: (event: CallSessionEvent) => void): void {
    this.listener = listener;
    this.scope.emitDestroy();
    this.scope = new AsyncResource(RelayCallSession.name);
    for (const event of this.early.splice(0)) listener(event);
  }

  /** The carrier opened another socket for the same session; it first sends what happened meanwhile. */
  resume(socket: WebSocket): void {
    const broken = this.socket;
    this.cancelGiveUp();
    this.socket = socket;
    this.isLost = false;
    this.attend(socket);
    broken.terminate();
    for (const text of this.unsent.splice(0)) socket.send(text);
  }

  /** Later events belong to another session. */
  close(event: CallSessionEvent = { kind: 'closed' }): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.cancelGiveUp();
    this.emit(event);
    this.scope.emitDestroy();
  }

  /** Closes the socket when the carrier has had `graceMs` to do it. */
  hangUp(graceMs: number): void {
    setTimeout(() => this.socket.close(1000), graceMs).unref();
  }

  private attend(socket: WebSocket): void {
    const own = (handle: () => void) => {
      if (socket === this.socket && !this.isClosed) this.scope.runInAsyncScope(handle);
    };
    socket.on('message', (data, isBinary) => own(() => this.receive(data, isBinary)));
    socket.on('close', (code) => own(() => this.lose(code)));
    socket.on('error', (error: Error & { code?: string }) => {
      // `close` follows an error of the connection at once, but that of the protocol only when the carrier answers.
      if (error.code?.startsWith('WS_ERR_')) own(() => this.close());
    });
  }

  private lose(code: number): void {
    if (code === GOING_AWAY) return this.close({ kind: 'closed', playsOn: true });
    if (code !== BROKEN) return this.close();
    this.isLost = true;
    const timer = setTimeout(() => this.close(), RECONNECT_LIMIT_MS).unref();
    this.cancelGiveUp = () => clearTimeout(timer);
  }

  private receive(data: RawData, isBinary: boolean): void {
    const event = isBinary ? null : parseRelayFrame(data.toString());
    // The carrier's text may quote the conversation, so only its error number is kept.
    if (event?.kind === 'failed')
      this.logger.warn(
        `The relay of the carrier reports error ${errorNumber(event.reason)}; see the carrier's list of errors`,
      );
    if (event) this.emit(event);
  }

  private emit(event: CallSessionEvent): void {
    if (this.listener) this.listener(event);
    else this.early.push(event);
  }

  private send(frame: object): void {
    const text = JSON.stringify(frame);
    if (this.isLost) this.keep(text);
    else if (this.socket.readyState === WebSocket.OPEN) this.transmit(text);
  }

  private keep(text: string): void {
    if (this.unsent.length < MAX_UNSENT_FRAMES) this.unsent.push(text);
    else this.close();
  }

  private transmit(text: string): void {
    if (this.socket.bufferedAmount <= MAX_UNSENT_BYTES) return this.socket.send(text);
    this.close();
    this.socket.terminate();
  }
}

const errorNumber = (text: string): string => /\b\d{5}\b/.exec(text)?.[0] ?? 'no number';
