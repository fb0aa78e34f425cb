import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { TestAccount } from './account.js';

export interface WebCall {
  call_id: number;
  token: string;
  url: string;
  expires_in: number;
  line: string;
}

/** With a token of the account. */
export async function beginWebCall({ client }: TestAccount, fields: object): Promise<WebCall> {
  const { status, text, body } = await client.post<WebCall>('/user/web-calls', fields);
  if (status !== 200) throw new Error(`no web call: ${status} ${text}`);
  return body;
}

/** Where the line is opened again that broke. */
export async function againUrl({ url, token }: WebCall, browser: Browser): Promise<string> {
  const ready = await browser.frame(({ type }) => type === 'ready');
  return url.replace(token, String(ready['token']));
}

export type Frame = Record<string, unknown> & { type: string };

/** A browser on the line of a web call: it reads what the assistant says and reports it as heard. */
export class Browser {
  readonly frames: Frame[] = [];
  readonly closed: Promise<number>;
  private waiting: (() => void)[] = [];
  private text = '';

  protected constructor(readonly socket: WebSocket) {
    this.closed = once(socket, 'close').then(([code]) => code as number);
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.receiveAudio(data as Buffer);
      else this.receive(JSON.parse(String(data)) as Frame);
    });
  }

  /** Opens the line. @throws Error with the HTTP status when it is refused */
  static async open<T extends Browser = Browser>(
    this: { prototype: T } & typeof Browser,
    url: string,
  ): Promise<T> {
    const socket = new WebSocket(url);
    const browser = new this(socket) as T;
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_request, response) => reject(new Error(`${response.statusCode}`)));
    });
    return browser;
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  says(text: string): void {
    this.send({ type: 'prompt', text, last: true });
  }

  /** The first frame that matches, also of those that came before. */
  async frame(matches: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** Resolves when the assistant has said something that matches. */
  async hears(wanted: RegExp): Promise<string> {
    await this.frame(() => wanted.test(this.spoken));
    return this.spoken;
  }

  /** All that the assistant said. */
  get spoken(): string {
    return this.frames.map((frame) => (frame.type === 'text' ? String(frame['token']) : '')).join('');
  }

  private receive(frame: Frame): void {
    this.frames.push(frame);
    if (frame.type === 'text') {
      this.text += String(frame['token']);
      if (frame['last'] === true) {
        this.send({ type: 'played', text: this.text });
        this.text = '';
      }
    }
    this.receiveFrame(frame);
    this.notify();
  }

  protected receiveAudio(_audio: Buffer): void {}

  protected receiveFrame(_frame: Frame): void {}

  /** Something happened that may be awaited. */
  protected notify(): void {
    for (const wake of this.waiting.splice(0)) wake();
  }
}
