import { AsyncResource } from 'node:async_hooks';
import { WebSocket, type RawData } from 'ws';
import { FRAME_RATE, RateLimit } from '#src/modules/media/rate-limit.js';
import { pingOrTerminate } from '#src/modules/media/socket-ping.js';

/** How a line is closed: `hang-up` by the customer, `lost` when it broke, `handed-over` when the process stops. */
export type LineCloseReason = 'hang-up' | 'lost' | 'handed-over';

export interface SocketListener {
  frame(data: RawData, isBinary: boolean): void;
  /** Another socket replaced a broken one: frames in transit are lost. */
  resumed?(): void;
  /** Called once; no frame follows. */
  closed(end: LineCloseReason): void;
}

/** How long a broken socket may be opened again. */
const RECONNECT_LIMIT_MS = 15_000;
/** A browser that leaves so much unread is disconnected; buffered speech would fill the memory. */
const MAX_UNSENT_BYTES = 512 * 1024;
/** More than an answer has while its socket is away. */
const MAX_KEPT_FRAMES = 500;
/** Frames that are kept for a later listener. */
const MAX_EARLY_FRAMES = 200;
/** Why a socket is closed, by the numbers of RFC 6455. */
const CODES = { over: 1000, goingAway: 1001, broken: 1006, policy: 1008 } as const;

/** The socket of a web call, and the sockets that replace a broken one. */
export class BrowserSocket {
  private listener: SocketListener | null = null;
  /** The context of the conversation, whose log lines have the call's id; events of sockets have none. */
  private scope = new AsyncResource(BrowserSocket.name);
  private readonly early: [RawData, boolean][] = [];
  private readonly kept: string[] = [];
  private end: LineCloseReason | null = null;
  private isLost = false;
  private lostAt = 0;
  private readonly allowance = new RateLimit(FRAME_RATE, Date.now());
  private cancelGiveUp: () => void = () => undefined;

  constructor(private socket: WebSocket) {
    this.attend(socket);
  }

  /** Whether another socket can take this one's place. */
  get open(): boolean {
    return this.end === null;
  }

  /** Why it was closed; null: it is open. */
  get closeReason(): LineCloseReason | null {
    return this.end;
  }

  /** Start of the break, in milliseconds since the epoch; null: it is not broken. */
  get brokenSince(): number | null {
    return this.isLost ? this.lostAt : null;
  }

  /** Sets the only listener, which first receives the frames before its registration. */
  setListener(listener: SocketListener): void {
    this.listener = listener;
    this.scope.emitDestroy();
    this.scope = new AsyncResource(BrowserSocket.name);
    for (const [data, isBinary] of this.early.splice(0)) listener.frame(data, isBinary);
    if (this.end) listener.closed(this.end);
  }

  /** Removes the listener; frames are kept for the next one. */
  removeListener(): void {
    this.listener = null;
  }

  send(frame: object): void {
    const text = JSON.stringify(frame);
    if (this.isLost) this.keep(text);
    else if (this.socket.readyState === WebSocket.OPEN) this.transmit(text);
  }

  /** Unlike frames it is not kept while the socket is away. */
  sendAudio(audio: Buffer): void {
    if (!this.isLost && this.socket.readyState === WebSocket.OPEN) this.transmit(audio);
  }

  /** The browser opened another socket; it first gets the frames that were sent meanwhile. */
  resume(socket: WebSocket): void {
    const broken = this.socket;
    this.cancelGiveUp();
    this.socket = socket;
    this.isLost = false;
    this.attend(socket);
    broken.terminate();
    for (const text of this.kept.splice(0)) socket.send(text);
    this.scope.runInAsyncScope(() => this.listener?.resumed?.());
  }

  /** Later frames belong to no call. */
  close(end: LineCloseReason): void {
    if (this.end) return;
    this.end = end;
    this.cancelGiveUp();
    this.listener?.closed(end);
    this.scope.emitDestroy();
  }

  /** Makes the browser open the line at another process. */
  moveToOtherProcess(): void {
    this.close('handed-over');
    this.socket.close(CODES.goingAway);
  }

  /** Closes the socket when the browser has had `graceMs` to do it. */
  closeAfter(graceMs: number): void {
    setTimeout(() => this.socket.close(CODES.over), graceMs).unref();
  }

  /** Terminates the socket of a browser that sent nothing since the last ping. */
  sendPing(): void {
    if (!this.isLost && !this.end) pingOrTerminate(this.socket);
  }

  private attend(socket: WebSocket): void {
    const own = (handle: () => void) => {
      if (socket === this.socket && this.end === null) this.scope.runInAsyncScope(handle);
    };
    socket.on('message', (data, isBinary) => own(() => this.receive(data, isBinary)));
    socket.on('close', (code) => own(() => this.lose(code)));
    socket.on('error', (error: Error & { code?: string }) => {
      // `close` follows an error of the connection, but after that of the protocol it looks like a broken line.
      if (error.code?.startsWith('WS_ERR_')) own(() => this.close('hang-up'));
    });
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (!this.allowance.accepts(Date.now())) return this.cutOff();
    if (this.listener) this.listener.frame(data, isBinary);
    else if (this.early.length < MAX_EARLY_FRAMES) this.early.push([data, isBinary]);
  }

  /** A browser that leaves the page or hangs up closes the socket; all else may be a fault of the network. */
  private lose(code: number): void {
    if (code !== CODES.broken) return this.close('hang-up');
    this.isLost = true;
    this.lostAt = Date.now();
    const timer = setTimeout(() => this.close('lost'), RECONNECT_LIMIT_MS).unref();
    this.cancelGiveUp = () => clearTimeout(timer);
  }

  private keep(text: string): void {
    if (this.kept.length < MAX_KEPT_FRAMES) this.kept.push(text);
    else this.close('lost');
  }

  private transmit(data: string | Buffer): void {
    if (this.socket.bufferedAmount <= MAX_UNSENT_BYTES) return this.socket.send(data);
    this.close('lost');
    this.socket.terminate();
  }

  private cutOff(): void {
    this.close('hang-up');
    this.socket.close(CODES.policy);
  }
}
