import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface LocalServer {
  port: number;
  /** Connections accepted so far. */
  connections(): number;
  /** Resolves when the next accepted connection is gone. */
  connectionGone: Promise<void>;
  close(): Promise<void>;
}

export function httpServer(listener: RequestListener, host = '127.0.0.1'): Promise<LocalServer> {
  return listen(createServer(listener), host);
}

/** A plain TCP server, for responses that no HTTP library would send. */
export function tcpServer(onSocket: (socket: Socket) => void): Promise<LocalServer> {
  return listen(createTcpServer(onSocket), '127.0.0.1');
}

export async function listen(server: Server, host = '127.0.0.1'): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const connectionGone = new Promise<void>((resolve) => {
    server.on('connection', (socket: Socket) => {
      accepted += 1;
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => resolve());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => accepted,
    connectionGone,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        sockets.forEach((socket) => socket.destroy());
      }),
  };
}

/** The request as received. */
export function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
}
