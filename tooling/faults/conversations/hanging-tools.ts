import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const SLOW_MS = 3_000;
const DRIP_MS = 500;

/** The behaviour of each path. */
const BEHAVIOURS: Record<string, (response: ServerResponse) => void> = {
  '/fine': (response) => void response.end('{"status":"shipped"}'),
  '/slow': (response) => void setTimeout(() => response.end('{"status":"shipped"}'), SLOW_MS).unref(),
  '/fails': (response) => void response.writeHead(500).end('{"error":"out of order"}'),
  '/hangs': () => undefined,
  '/drips': (response) => {
    const timer = setInterval(() => response.write(' '), DRIP_MS).unref();
    response.once('close', () => clearInterval(timer));
  },
};

export const TOOLS = Object.keys(BEHAVIOURS).map((path) => path.slice(1));

/** A server for tools that respond, respond late, fail, or never finish. */
export class HangingTools {
  private readonly server: Server = createServer((request, response) => {
    request.resume();
    BEHAVIOURS[request.url ?? '']?.(response);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  /** @param name one of `TOOLS` */
  url(name: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
