import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';

export interface Exchange {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Reply {
  status: number;
  body: string;
}

const agent = new Agent({ connections: 64 });

/** Forwards a request. Rejects without a response. */
export async function forward(base: string, { method, path, headers, body }: Exchange): Promise<Reply> {
  const reply = await request(base + path, {
    method: method as 'GET',
    headers,
    body: method === 'GET' ? null : body,
    dispatcher: agent,
  });
  return { status: reply.statusCode, body: await reply.body.text() };
}

export interface Proxy {
  url: string;
  close(): Promise<void>;
}

/** Starts a proxy; `handle` responds or destroys the response's socket. */
export async function startProxy(
  handle: (exchange: Exchange, response: ServerResponse) => Promise<void>,
): Promise<Proxy> {
  const server: Server = createServer((incoming, response) => {
    read(incoming)
      .then((exchange) => handle(exchange, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendReply(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** Hop-by-hop headers, which are not forwarded. Host is forwarded, because signatures cover it. */
const HOP_BY_HOP = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'host']);

async function read(incoming: IncomingMessage): Promise<Exchange> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) => {
    return typeof value === 'string' && !HOP_BY_HOP.has(name) ? [[name, value]] : [];
  });
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(chunks).toString(),
  };
}
