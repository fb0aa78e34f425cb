import { WebSocket } from 'ws';
import { parseStreamFrame } from '../../../sandbox/carrier/stream-frames.js';
import { StreamPlayback } from '../../../sandbox/carrier/stream-playback.js';
import { FRAME_BYTES, isSilence, SILENCE } from '../../../sandbox/speech/speech-code.js';
import { FRAME_MS, mediaFrameOf } from '../../realtime/audio-frames.js';
import { STREAM_SID } from '../../realtime/carrier-stream.js';
import { SPEECH_MS } from './take-turns.js';
import type { TurnLatencies } from './turn-latencies.js';

const SILENT_FRAME = Buffer.alloc(FRAME_BYTES, SILENCE).toString('base64');
const BYTES_PER_MS = FRAME_BYTES / FRAME_MS;

/** A customer on a media stream, whose carrier plays the assistant's audio in real time and returns its marks. */
export class StreamCustomer {
  private readonly playback = new StreamPlayback();
  private readonly voice: string;
  private frames = 0;
  private speechLeftMs = 0;

  /** @param voice a loud frame */
  constructor(
    private readonly socket: WebSocket,
    voice: Buffer,
    private readonly latencies: TurnLatencies,
  ) {
    this.voice = voice.toString('base64');
    socket.on('message', (data, isBinary) => this.receive(String(data), isBinary));
  }

  speak(): void {
    this.speechLeftMs = SPEECH_MS;
  }

  /** Sends a frame, and plays one. Called every 20 ms. */
  exchangeFrame(): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(mediaFrameOf(this.speechLeftMs > 0 ? this.voice : SILENT_FRAME, this.frames++));
    this.speechLeftMs -= FRAME_MS;
    this.returnMarks(this.playback.next().marks);
  }

  close(): void {
    this.socket.close();
  }

  private receive(data: string, isBinary: boolean): void {
    const at = performance.now();
    const frame = parseStreamFrame(data, isBinary, STREAM_SID);
    if (frame.kind === 'mark') this.playback.mark(frame.name);
    else if (frame.kind === 'clear') this.returnMarks(this.playback.clear());
    else if (frame.kind === 'media') this.play(frame.audio, at);
  }

  private play(audio: Buffer, at: number): void {
    this.playback.play(audio);
    if (audio.some((byte) => !isSilence(byte))) this.latencies.hear(at, audio.length / BYTES_PER_MS);
  }

  private returnMarks(names: readonly string[]): void {
    for (const name of names)
      this.socket.send(JSON.stringify({ event: 'mark', mark: { name }, streamSid: STREAM_SID }));
  }
}
