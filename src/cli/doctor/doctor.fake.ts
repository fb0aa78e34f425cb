import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeServer {
  url: string;
  port: number;
  requests: { path: string; authorization: string }[];
  close(): Promise<void>;
}

/** A server on loopback whose answers `answer` decides. */
export async function fakeServer(
  answer: (request: IncomingMessage) => { status: number; body?: unknown },
): Promise<FakeServer> {
  const requests: FakeServer['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '' });
    const { status, body = {} } = answer(request);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The address of a server that was closed: connections are refused. */
export async function unreachableServer(): Promise<{ url: string; port: number }> {
  const { url, port, close } = await fakeServer(() => ({ status: 500 }));
  await close();
  return { url, port };
}
