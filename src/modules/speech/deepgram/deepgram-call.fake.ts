import { once } from 'node:events';
import type { Transcriber, TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { DeepgramServer } from './deepgram.fake.js';
import { DeepgramTranscriberService } from './deepgram-transcriber.service.js';

const FRAME = 160;
/** Frames of 20 ms in a second. */
export const SECOND = 50;

/** The transcription of a call by a server of the test. */
export class DeepgramCall {
  events: TranscriptionEvent[] = [];
  private running: DeepgramServer | null = null;
  private opened: TranscriptionStream | null = null;
  private told = (): void => undefined;

  get server(): DeepgramServer {
    if (!this.running) throw new Error('The server is not started');
    return this.running;
  }

  get stream(): TranscriptionStream {
    if (!this.opened) throw new Error('The transcription is not open');
    return this.opened;
  }

  async start(): Promise<void> {
    this.running = new DeepgramServer();
    this.events = [];
    this.told = () => undefined;
    await once(this.server.sockets, 'listening');
  }

  stop(): void {
    this.opened?.close();
    this.server.stop();
  }

  async open(
    service: Transcriber = new DeepgramTranscriberService(),
    format = 'pcmu-8000' as const,
  ): Promise<void> {
    const options = {
      provider: { baseUrl: this.server.base, apiKey: 'key', model: 'any' },
      format,
      language: 'en-US',
      endOfTurnSilenceMs: 600,
      endpointType: 'vad' as const,
    };
    this.opened = service.open(options, (event) => {
      this.events.push(event);
      this.told();
    });
    await once(this.server.sockets, 'connection');
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => (this.told = resolve));
  }

  finals(): string[] {
    return this.events.flatMap((event) => (event.kind === 'final' ? [event.text] : []));
  }

  partials(): number {
    return this.events.filter(({ kind }) => kind === 'partial').length;
  }

  /** What the server sends has arrived, in order. */
  async arrived(): Promise<void> {
    const { client } = this.server;
    if (!client) return;
    const pong = once(client, 'pong');
    client.ping();
    await pong;
  }

  /** Numbers the frames, so that they can be told apart. */
  speak(frames: number, first = 0): void {
    for (let index = 0; index < frames; index += 1) this.stream.write(Buffer.alloc(FRAME, first + index));
  }
}

export const framesOf = (audio: readonly Buffer[]): number[] => audio.map((frame) => frame[0] ?? -1);
