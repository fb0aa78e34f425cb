import { AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { WebSocket, type RawData } from 'ws';
import {
  audioMs,
  type AudioFormat,
  type AudioLine,
  type AudioLineEvent,
} from '#src/modules/media/audio-line.js';
import { MULAW_SILENCE } from '#src/modules/media/mulaw.js';
import { AudioGaps, startGapTimer } from '#src/modules/media/audio-gaps.js';
import { dtmfTones } from './dtmf-tones.js';
import { AudioEventBuffer } from '#src/modules/media/audio-event-buffer.js';
import { parseMediaStreamFrame, type MediaStreamFrame } from './media-stream-frames.js';
import { FRAME_RATE, RateLimit } from '#src/modules/media/rate-limit.js';

/** The carrier sends the `start` frame within this time. */
const START_LIMIT_MS = 5_000;
/** A carrier that reads nothing is disconnected with this much unsent: three minutes of speech. */
const MAX_UNSENT_BYTES = 2 * 1024 * 1024;
/** Two seconds of audio in one frame, which is below what any side takes as a frame. */
const MAX_PIECE_BYTES = 16_000;
const MAX_MARK_CHARACTERS = 100;
const FRAME_BYTES = 160;
/** A carrier that does not answer the end of the stream is disconnected. */
const CLOSE_LIMIT_MS = 5_000;

const NORMAL = 1000;
const GOING_AWAY = 1001;
const REFUSED = 1008;

/**
 * The audio of a call over the carrier's media stream. The carrier never opens a stream again: when the socket is
 * closed, so is the line, and the carrier requests instructions at the action URL. It does so after `end`, too,
 * without its reason: the stored call decides.
 *
 * More than 200 frames a second, frames of the wrong form and frames without an effect are left out.
 */
export class MediaStreamLine implements AudioLine {
  readonly format: AudioFormat = 'pcmu-8000';
  /** Resolves with the carrier's `start` frame; false: the line was closed before, or cannot carry the call. */
  readonly started: Promise<boolean>;

  private readonly logger = new Logger(MediaStreamLine.name);
  private listener: ((event: AudioLineEvent) => void) | null = null;
  private readonly early = new AudioEventBuffer();
  /** As in RelayCallSession. */
  private scope = new AsyncResource(MediaStreamLine.name);
  private readonly allowance: RateLimit;
  private readonly gaps: AudioGaps;
  private readonly clock: NodeJS.Timeout;
  private streamSid: string | null = null;
  private streamSidJson = 'null';
  private settleStart: (isUsable: boolean) => void = () => undefined;
  private isClosed = false;
  private hasWarned = false;
  /** Expected end of playback, in milliseconds since the epoch. */
  private playedAt = 0;

  constructor(
    private readonly socket: WebSocket,
    readonly openedAt = Date.now(),
  ) {
    this.allowance = new RateLimit(FRAME_RATE, openedAt);
    this.gaps = new AudioGaps(openedAt);
    this.started = new Promise((resolve) => (this.settleStart = resolve));
    this.clock = startGapTimer((now) => this.own(() => this.tick(now)));
    socket.on('message', (data, isBinary) => this.own(() => this.receive(data, isBinary)));
    socket.on('close', () => this.own(() => this.close()));
    socket.on('error', () => this.own(() => this.disconnect()));
  }

  /** Whether it still carries the call. */
  get open(): boolean {
    return !this.isClosed;
  }

  play(audio: Buffer): void {
    for (let at = 0; at < audio.length; at += MAX_PIECE_BYTES) {
      const payload = audio.toString('base64', at, at + MAX_PIECE_BYTES);
      // Not JSON.stringify, which looks at each character: base64 has none to escape.
      this.transmit(`{"event":"media","media":{"payload":"${payload}"},"streamSid":${this.streamSidJson}}`);
    }
    this.playedAt = Math.max(this.playedAt, Date.now()) + audioMs(audio.length, this.format);
  }

  mark(name: string): void {
    this.send({ event: 'mark', mark: { name: name.slice(0, MAX_MARK_CHARACTERS) } });
  }

  clear(): void {
    this.send({ event: 'clear' });
    this.playedAt = 0;
  }

  sendDigits(digits: string): void {
    this.play(dtmfTones(digits));
  }

  end(_reason: string): void {
    if (!this.isClosed) this.hangUp(0);
  }

  onEvent(listener: (event: AudioLineEvent) => void): void {
    this.listener = listener;
    this.scope.emitDestroy();
    this.scope = new AsyncResource(MediaStreamLine.name);
    for (const event of this.early.take()) listener(event);
  }

  /** Another socket of the same document is not the carrier's, who opens one only. */
  resume(socket: WebSocket): void {
    socket.on('error', () => socket.terminate());
    socket.close(REFUSED);
  }

  /**
   * The carrier requests new instructions, which lead it to another process, when all was played or after `limitMs`.
   */
  async moveToOtherProcess(limitMs: number): Promise<void> {
    const leftMs = Math.min(this.playedAt - Date.now(), limitMs);
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs).unref());
    this.socket.close(GOING_AWAY);
  }

  /** Later events belong to another line. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.clock);
    this.settleStart(false);
    this.scope.runInAsyncScope(() => this.emit({ kind: 'closed' }));
    this.scope.emitDestroy();
  }

  /** Closes the socket when the carrier has had `graceMs` to do it. */
  hangUp(graceMs: number): void {
    setTimeout(() => this.socket.close(NORMAL), graceMs).unref();
    setTimeout(() => this.socket.terminate(), graceMs + CLOSE_LIMIT_MS).unref();
  }

  private own(handle: () => void): void {
    if (!this.isClosed) this.scope.runInAsyncScope(handle);
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (!this.allowance.accepts(Date.now())) return this.warn('sends more frames than are taken');
    const frame = isBinary ? null : parseMediaStreamFrame(data.toString());
    if (frame === null) return this.warn('sent a frame of an unknown form');
    this.handle(frame);
  }

  private handle(frame: MediaStreamFrame): void {
    if (frame.kind === 'start') this.start(frame);
    else if (frame.kind === 'stop') this.close();
    else if (frame.kind === 'audio') this.hear(frame.audio, frame.timestampMs);
    else if (frame.kind !== 'none') this.emit(frame);
  }

  private start({ streamSid, isTelephoneAudio }: MediaStreamFrame & { kind: 'start' }): void {
    this.streamSid ??= streamSid;
    this.streamSidJson = JSON.stringify(this.streamSid);
    if (isTelephoneAudio) return this.settleStart(true);
    this.logger.error(
      'The media stream was disconnected: its audio is not in the format of telephones (mulaw, 8 kHz)',
    );
    this.disconnect();
  }

  private hear(audio: Buffer, timestampMs: number | null): void {
    if (this.gaps.isRepeated(timestampMs)) return;
    const durationMs = audioMs(audio.length, this.format);
    this.fill(this.gaps.gapBefore(timestampMs, durationMs, Date.now()));
    this.emit({ kind: 'audio', audio });
  }

  private tick(now: number): void {
    if (this.streamSid !== null) return this.fill(this.gaps.gapDuring(now));
    if (now - this.openedAt >= START_LIMIT_MS) this.disconnect();
  }

  private fill(ms: number): void {
    const bytes = Math.round(ms / audioMs(1, this.format));
    for (let left = bytes; left > 0; left -= FRAME_BYTES) {
      this.emit({ kind: 'audio', audio: Buffer.alloc(Math.min(left, FRAME_BYTES), MULAW_SILENCE) });
    }
  }

  private emit(event: AudioLineEvent): void {
    if (this.listener) this.listener(event);
    else this.early.add(event);
  }

  private send(frame: object): void {
    this.transmit(JSON.stringify({ ...frame, streamSid: this.streamSid }));
  }

  private transmit(text: string): void {
    if (this.isClosed || this.socket.readyState !== WebSocket.OPEN || this.streamSid === null) return;
    this.socket.send(text);
    if (this.socket.bufferedAmount > MAX_UNSENT_BYTES) this.disconnect();
  }

  private disconnect(): void {
    this.close();
    this.socket.terminate();
  }

  /** Once: a carrier that does so once does it again. */
  private warn(what: string): void {
    if (!this.hasWarned) this.logger.warn(`The carrier ${what}; such frames are ignored`);
    this.hasWarned = true;
  }
}
