import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';

type Frame = Record<string, unknown>;

/** The carrier's end of a media stream, whose frames a test writes and reads. */
export class FakeStreamSocket extends EventEmitter {
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: Frame[] = [];
  closedWith: number | null = null;
  isTerminated = false;

  /** As the line sees it. */
  get socket(): WebSocket {
    return this as unknown as WebSocket;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Frame);
  }

  close(code: number): void {
    this.closedWith = code;
  }

  terminate(): void {
    this.isTerminated = true;
  }

  /** The socket is gone. */
  ends(): void {
    this.readyState = 3;
    this.emit('close', 1006);
  }

  receives(frame: unknown, isBinary = false): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    this.emit('message', Buffer.from(text), isBinary);
  }

  starts(mediaFormat: Frame = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 }): void {
    this.receives({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    this.receives({
      event: 'start',
      sequenceNumber: '1',
      streamSid: 'MZ1',
      start: { streamSid: 'MZ1', callSid: 'CA1', tracks: ['inbound'], mediaFormat, customParameters: {} },
    });
  }

  media(audio: Buffer, timestampMs?: number): void {
    const timestamp = timestampMs === undefined ? {} : { timestamp: String(timestampMs) };
    const media = { track: 'inbound', chunk: '1', ...timestamp, payload: audio.toString('base64') };
    this.receives({ event: 'media', streamSid: 'MZ1', media });
  }
}
