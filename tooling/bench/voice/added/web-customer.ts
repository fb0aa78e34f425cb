import { WebSocket } from 'ws';
import { FRAME_MS, PCM_FRAME_BYTES } from '../../realtime/audio-frames.js';
import { SPEECH_MS } from './take-turns.js';
import type { TurnLatencies } from './turn-latencies.js';

const SILENT_FRAME = Buffer.alloc(PCM_FRAME_BYTES);
const BYTES_PER_MS = PCM_FRAME_BYTES / FRAME_MS;

/** A customer in a browser, which plays the assistant's audio in real time and reports each played frame. */
export class WebCustomer {
  private speechLeftMs = 0;
  /** Bytes that the service has sent, and those of them that were played. */
  private received = 0;
  private played = 0;
  /** Places of the ends of unplayed frames. */
  private ends: number[] = [];

  /** @param voice a loud frame of 16-bit audio at 24 kHz */
  constructor(
    private readonly socket: WebSocket,
    private readonly voice: Buffer,
    private readonly latencies: TurnLatencies,
  ) {
    socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
  }

  speak(): void {
    this.speechLeftMs = SPEECH_MS;
  }

  /** Sends a frame, and plays one. Called every 20 ms. */
  exchangeFrame(): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(this.speechLeftMs > 0 ? this.voice : SILENT_FRAME);
    this.speechLeftMs -= FRAME_MS;
    this.played = Math.min(this.received, this.played + PCM_FRAME_BYTES);
    for (let [end] = this.ends; end !== undefined && end <= this.played; [end] = this.ends) {
      this.ends.shift();
      this.socket.send(JSON.stringify({ type: 'played', place: end }));
    }
  }

  close(): void {
    this.socket.close();
  }

  private receive(data: Buffer, isBinary: boolean): void {
    const at = performance.now();
    if (isBinary) return this.play(data, at);
    const frame = JSON.parse(data.toString()) as { type: string; place?: number };
    if (frame.type === 'ready' || frame.type === 'clear') this.discard(frame.place ?? 0);
  }

  private play(audio: Buffer, at: number): void {
    this.received += audio.length;
    this.ends.push(this.received);
    if (audio.some((byte) => byte !== 0)) this.latencies.hear(at, audio.length / BYTES_PER_MS);
  }

  /** @param place of the next byte */
  private discard(place: number): void {
    this.received = this.played = place;
    this.ends = [];
  }
}
