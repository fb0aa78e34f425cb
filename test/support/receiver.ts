import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: IncomingHttpHeaders;
  /** The very bytes, as text. */
  text: string;
  body: Record<string, unknown>;
  at: number;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  /** Answers after this. */
  after?: Promise<unknown>;
  /** Takes the request and closes the connection. */
  reset?: boolean;
}

/** A webhook receiver of the spec's own on the loopback; close it when done. */
export class Receiver {
  readonly received: Received[] = [];
  /** Decides the answer; 200 unless replaced. */
  reply: (request: Received) => Reply = () => ({});
  private readonly waiting: (() => void)[] = [];
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const received = { headers: request.headers, text, body: parse(text), at: Date.now() };
      this.received.push(received);
      for (const wake of this.waiting.splice(0)) wake();
      const {
        status = 200,
        headers = {},
        body = '{"ok":true}',
        delayMs = 0,
        after,
        reset,
      } = this.reply(received);
      if (reset) return void request.socket.destroy();
      const respond = () => response.writeHead(status, headers).end(body);
      if (after) void after.then(respond);
      else setTimeout(respond, delayMs).unref();
    });
  });

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Ends when so many requests have come in all. @throws after 300 seconds */
  async requests(count: number): Promise<Received[]> {
    const deadline = Date.now() + 300_000;
    while (this.received.length < count) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`${this.received.length} of ${count} requests came in time`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.received;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
