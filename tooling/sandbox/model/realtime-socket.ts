import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import { sameText } from '../same-text.js';
import { quirksOf } from './quirks.js';
import { RealtimeSession } from './realtime-session.js';

const PATH = '/v1/realtime';
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** The realtime model's WebSocket; upgrades of other paths are refused. */
export function realtimeSocket(app: FastifyInstance, apiKey: string, speed: number): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = new URL(request.url ?? '', 'http://sandbox');
    const model = url.searchParams.get('model') ?? '';
    const status = refusal(request, url, model, apiKey);
    if (status)
      return void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      const send = (text: string): void => {
        if (accepted.readyState === accepted.OPEN) accepted.send(text);
      };
      const session = new RealtimeSession(model, speed, { send, close: () => accepted.terminate() });
      accepted.on('message', (data, isBinary) => {
        if (!isBinary) session.receive(String(data));
      });
      accepted.on('close', () => session.close());
      accepted.on('error', () => accepted.terminate());
    });
  });
  app.addHook('onClose', async () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
}

/** The HTTP status with which a session is refused; null: it begins. The beta's header is refused as well. */
function refusal(request: IncomingMessage, url: URL, model: string, apiKey: string): string | null {
  if (url.pathname !== PATH) return '404 Not Found';
  if (!sameText(request.headers.authorization ?? '', `Bearer ${apiKey}`)) return '401 Unauthorized';
  if (model === '' || 'openai-beta' in request.headers) return '400 Bad Request';
  return quirksOf(model).has('refuses') ? '503 Service Unavailable' : null;
}
