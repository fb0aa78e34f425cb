import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';

const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** The response to a refused upgrade. */
export interface SocketRefusal {
  status: number;
  headers?: Record<string, string>;
  body?: object;
}

/** Sockets of one path. */
export interface SocketRoute {
  path: RegExp;
  /** Null: it is opened. */
  refuse(request: IncomingMessage, url: URL): SocketRefusal | null;
  open(socket: WebSocket, request: IncomingMessage, url: URL): void;
}

/** Upgrades of other paths are refused. */
export function socketRoutes(app: FastifyInstance, routes: readonly SocketRoute[]): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = new URL(request.url ?? '', 'http://sandbox');
    const route = routes.find(({ path }) => path.test(url.pathname));
    const refusal = route ? route.refuse(request, url) : { status: 404 };
    if (!route || refusal) return void socket.end(answerOf(refusal ?? { status: 404 }));
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      accepted.on('error', () => accepted.terminate());
      route.open(accepted, request, url);
    });
  });
  app.addHook('onClose', async () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
}

function answerOf({ status, headers = {}, body }: SocketRefusal): string {
  const text = body ? JSON.stringify(body) : '';
  const all = {
    Connection: 'close',
    ...(body && { 'Content-Type': 'application/json' }),
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n');
}
