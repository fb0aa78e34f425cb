import type { WebSocket } from 'ws';
import type { FakeService } from './service.fake.js';
import { SpeechDecoder } from './speech/speech-code.js';

type Frame = Record<string, unknown> & { event?: string };

/** The service's end of a media stream: stores the carrier's frames, and recognises the callee's speech. */
export class StreamListener {
  readonly decoder = new SpeechDecoder();
  readonly timestamps: number[] = [];
  readonly marks: string[] = [];
  readonly digits: string[] = [];
  /** The callee's speech. */
  text = '';
  streamSid = '';
  start: Record<string, unknown> | null = null;
  stopped = false;
  private socket: WebSocket | null = null;

  constructor(private readonly service: FakeService) {
    service.talk = (frame, socket) => this.take(frame as Frame, socket);
  }

  /** A document whose stream uses this URL. @param attributes replace those of the noun */
  document(attributes: Record<string, string> = {}, before = ''): string {
    const all = Object.entries({ url: this.service.socketUrl('/stream/token-1'), ...attributes });
    const rendered = all.map(([name, value]) => `${name}="${value}"`).join(' ');
    return (
      `<?xml version="1.0" encoding="UTF-8"?><Response>${before}<Connect action="${this.service.url}/action/token-1">` +
      `<Stream ${rendered}><Parameter name="token" value="token-1"/></Stream></Connect></Response>`
    );
  }

  play(audio: Buffer): void {
    this.send({ event: 'media', media: { payload: audio.toString('base64') } });
  }

  mark(name: string): void {
    this.send({ event: 'mark', mark: { name } });
  }

  send(frame: Record<string, unknown>): void {
    this.socket?.send(JSON.stringify({ streamSid: this.streamSid, ...frame }));
  }

  sendRaw(data: string | Buffer): void {
    this.socket?.send(data);
  }

  close(): void {
    this.socket?.close(1000);
  }

  async until(test: () => boolean): Promise<void> {
    await this.service.until(() => test() || undefined);
  }

  async untilStarted(): Promise<void> {
    await this.until(() => this.start !== null);
  }

  private take(frame: Frame, socket: WebSocket): void {
    const inside = frame[String(frame.event)] as Record<string, unknown> | undefined;
    if (frame.event === 'start') {
      this.socket = socket;
      this.streamSid = String(frame['streamSid']);
      this.start = inside ?? {};
    } else if (frame.event === 'media') {
      this.timestamps.push(Number(inside?.['timestamp']));
      this.text += this.decoder.push(Buffer.from(String(inside?.['payload']), 'base64'));
    } else if (frame.event === 'mark') this.marks.push(String(inside?.['name']));
    else if (frame.event === 'dtmf') this.digits.push(String(inside?.['digit']));
    else if (frame.event === 'stop') this.stopped = true;
  }
}
