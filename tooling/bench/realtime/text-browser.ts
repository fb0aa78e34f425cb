import { once } from 'node:events';
import { WebSocket } from 'ws';
import { questionOf } from '../support/customer-names.js';

const LEAST_PAUSE_MS = 1_000;
const MOST_PAUSE_MS = 3_000;

interface Frame {
  type: string;
  token?: string;
  last?: boolean;
}

/** A browser on a text line, whose customer asks a question after the end of the previous response. */
export class TextBrowser {
  /** From each question to the request to the model, in ms. */
  toModel: number[] = [];
  /** From the first word of each response to its first frame, in ms. */
  toBrowser: number[] = [];
  private socket: WebSocket | null = null;
  private timer: NodeJS.Timeout | undefined;
  private askedAt = 0;
  private answeredAt = 0;

  constructor(private readonly name: string) {}

  async open(url: string): Promise<void> {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    this.socket = socket;
    socket.on('message', (data) => this.receive(JSON.parse(String(data)) as Frame));
    await once(socket, 'open');
    this.askLater();
  }

  measure(): void {
    this.toModel = [];
    this.toBrowser = [];
  }

  /** The request to the model. */
  asked(): void {
    if (this.askedAt > 0) this.toModel.push(performance.now() - this.askedAt);
    this.askedAt = 0;
  }

  /** The model begins its response. */
  answered(): void {
    this.answeredAt = performance.now();
  }

  close(): void {
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private receive({ type, token, last }: Frame): void {
    if (type !== 'text') return;
    if (token && this.answeredAt > 0) {
      this.toBrowser.push(performance.now() - this.answeredAt);
      this.answeredAt = 0;
    }
    if (token) this.send({ type: 'played', text: token });
    if (last) this.askLater();
  }

  private askLater(): void {
    clearTimeout(this.timer);
    const pauseMs = LEAST_PAUSE_MS + Math.random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS);
    this.timer = setTimeout(() => {
      this.askedAt = performance.now();
      this.send({ type: 'prompt', text: questionOf(this.name), last: true });
    }, pauseMs);
  }

  private send(frame: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }
}
