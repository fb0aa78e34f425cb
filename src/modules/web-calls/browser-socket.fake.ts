import { EventEmitter } from 'node:events';
import { WebSocket } from 'ws';

/** A browser's socket without a network. */
export class FakeBrowserSocket extends EventEmitter {
  readyState: number = WebSocket.OPEN;
  bufferedAmount = 0;
  readonly sent: (string | Buffer)[] = [];
  closedWith: number | null = null;
  isTerminated = false;
  pings = 0;

  /** As the line sees it. */
  get socket(): WebSocket {
    return this as unknown as WebSocket;
  }

  /** All audio that the browser got. */
  get audio(): Buffer {
    return Buffer.concat(this.sent.filter((data) => Buffer.isBuffer(data)));
  }

  /** All frames that the browser got. */
  get frames(): unknown[] {
    return this.sent.flatMap((data) => (Buffer.isBuffer(data) ? [] : [JSON.parse(data)]));
  }

  /** The browser sends audio, or a frame. */
  receives(data: Buffer | object): void {
    if (Buffer.isBuffer(data)) this.emit('message', data, true);
    else this.emit('message', Buffer.from(JSON.stringify(data)), false);
  }

  send(data: string | Buffer): void {
    this.sent.push(data);
  }

  close(code: number): void {
    this.closedWith = code;
  }

  terminate(): void {
    this.isTerminated = true;
    this.readyState = WebSocket.CLOSED;
  }

  ping(): void {
    this.pings += 1;
  }
}
