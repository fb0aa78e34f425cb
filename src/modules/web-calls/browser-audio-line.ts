import type { RawData } from 'ws';
import {
  audioMs,
  type AudioFormat,
  type AudioLine,
  type AudioLineEvent,
} from '#src/modules/media/audio-line.js';
import { AudioGaps, startGapTimer } from '#src/modules/media/audio-gaps.js';
import { RateLimit, type Rate } from '#src/modules/media/rate-limit.js';
import { AudioEventBuffer } from '../media/audio-event-buffer.js';
import { AudioWindow } from './audio-window.js';
import type { BrowserSocket } from './browser-socket.js';
import { ResidualEcho } from './residual-echo.js';
import { parseAudioFrame } from './web-call-frames.js';

/** A frame of silence: 40 ms. */
const SILENCE = Buffer.alloc(1_920);
/** Milliseconds of audio: a microphone's clock may run a little faster than ours. */
const AUDIO_RATE: Rate = { perSecond: 1_050, atOnce: 10_000 };
/** More is pending only where a browser never reports playback: six minutes of speech. */
const MAX_WAITING_BYTES = 6 * 60 * 48_000;

/** The frame for a browser whose line is open, or opened again by another process. */
export interface AudioLineReady {
  /** Opens the line again when it broke. */
  token: string;
  /** BCP 47 */
  language: string;
}

/**
 * The audio of a call in a browser: binary frames of 16-bit PCM both ways, and JSON frames (docs/use/web-calls.md).
 * Frames of half a sample, audio faster than real time and unknown frames are left out.
 */
export class BrowserAudioLine implements AudioLine {
  readonly format: AudioFormat = 'pcm16-24000';
  private listener: ((event: AudioLineEvent) => void) | null = null;
  private readonly early = new AudioEventBuffer();
  private readonly allowance: RateLimit;
  private readonly gaps: AudioGaps;
  private readonly window: AudioWindow;
  private readonly echo = new ResidualEcho();
  private readonly clock: NodeJS.Timeout;
  /** The browser opened the line again and has not reported yet what it had received. */
  private isResuming = false;
  private isClosed = false;

  constructor(
    private readonly socket: BrowserSocket,
    readonly openedAt = Date.now(),
  ) {
    this.allowance = new RateLimit(AUDIO_RATE, openedAt);
    this.gaps = new AudioGaps(openedAt);
    this.window = new AudioWindow((piece) => socket.sendAudio(piece));
    this.clock = startGapTimer((now) => !this.isClosed && this.fill(this.gaps.gapDuring(now)));
    this.listen();
  }

  get brokenSince(): number | null {
    return this.socket.brokenSince;
  }

  sendReady(ready: AudioLineReady): void {
    this.socket.send({ type: 'ready', line: 'audio', ...ready });
  }

  play(audio: Buffer): void {
    if (this.isClosed) return;
    this.window.add(audio);
    if (this.window.size > MAX_WAITING_BYTES) return this.socket.close('lost');
    this.proceed();
  }

  mark(name: string): void {
    if (this.isClosed || !this.window.addMark(name)) return;
    queueMicrotask(() => this.emit({ kind: 'mark', name }));
  }

  clear(): void {
    if (this.isClosed) return;
    const { marks, place } = this.window.clear();
    this.socket.send({ type: 'clear', place });
    for (const name of marks) this.emit({ kind: 'mark', name });
  }

  /** A browser has nothing that takes keys. */
  sendDigits(): void {}

  caption(who: 'assistant' | 'customer', text: string, final: boolean): void {
    if (!this.isClosed) this.socket.send({ type: 'caption', who, text, last: final });
  }

  end(reason: string): void {
    if (!this.isClosed) this.socket.send({ type: 'end', reason });
    this.stop();
  }

  onEvent(listener: (event: AudioLineEvent) => void): void {
    this.listener = listener;
    this.listen();
    for (const event of this.early.take()) listener(event);
  }

  /** The call continues over another line of the same socket, which gets later frames. */
  release(): void {
    this.stop();
    this.socket.removeListener();
  }

  /** Again with a listener, whose context the socket's events then have. */
  private listen(): void {
    this.socket.setListener({
      frame: (data, isBinary) => this.receive(data, isBinary),
      resumed: () => (this.isResuming = true),
      closed: () => this.close(),
    });
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (this.isClosed) return;
    if (isBinary) return this.hear(data as Buffer);
    const frame = parseAudioFrame(data.toString());
    if (!frame) return;
    switch (frame.kind) {
      case 'bye':
        return this.socket.close('hang-up');
      case 'played':
        return this.played(frame.place);
      case 'received':
        return this.resume(frame.place);
      default:
        return this.emit(frame);
    }
  }

  private hear(audio: Buffer): void {
    const durationMs = audioMs(audio.length, this.format);
    if (audio.length === 0 || audio.length % 2 !== 0) return;
    if (!this.allowance.accepts(Date.now(), durationMs)) return;
    this.fill(this.gaps.gapBefore(null, durationMs, Date.now()));
    const isEcho = this.echo.isEcho(audio, this.window.playingLoudness, Date.now());
    this.emit({ kind: 'audio', audio: isEcho ? Buffer.alloc(audio.length) : audio });
  }

  private played(place: number): void {
    for (const name of this.window.recordPlayed(place)) this.emit({ kind: 'mark', name });
    this.proceed();
  }

  private resume(place: number): void {
    if (!this.isResuming) return;
    this.isResuming = false;
    this.window.resendAfter(place);
    this.proceed();
  }

  private proceed(): void {
    if (!this.isResuming && this.socket.brokenSince === null) this.window.sendMore();
  }

  private fill(ms: number): void {
    for (let left = Math.round(ms / audioMs(2, this.format)) * 2; left > 0; left -= SILENCE.length)
      this.emit({ kind: 'audio', audio: SILENCE.subarray(0, Math.min(left, SILENCE.length)) });
  }

  private close(): void {
    if (this.isClosed) return;
    this.stop();
    this.emit({ kind: 'closed' });
  }

  private stop(): void {
    this.isClosed = true;
    clearInterval(this.clock);
  }

  private emit(event: AudioLineEvent): void {
    if (this.listener) this.listener(event);
    else this.early.add(event);
  }
}
