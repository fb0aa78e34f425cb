import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalRequest {
  headers: IncomingHttpHeaders;
  /** Exactly as it came: signatures are over these characters. */
  body: string;
}

export interface LocalServer {
  url: string;
  close(): void;
}

/** Answers each request with what `handle` returns, as JSON; 400 when it throws. */
export async function serve(host: string, handle: (request: LocalRequest) => unknown): Promise<LocalServer> {
  const server = createServer((request, response) => {
    read(request)
      .then((body) => [200, handle({ headers: request.headers, body })] as const)
      .catch(() => [400, { message: 'Bad Request' }] as const)
      .then(([status, answer]) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer)),
      );
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
