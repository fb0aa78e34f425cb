import type { IncomingMessage } from 'node:http';
import { sameText } from '../same-text.js';
import type { SocketRoute } from '../socket-routes.js';
import { quirksOf } from './quirks.js';
import { RealtimeSession } from './realtime-session.js';

/** The realtime model's WebSocket. */
export const realtimeSocket = (apiKey: string, speed: number): SocketRoute => ({
  path: /^\/v1\/realtime$/,
  refuse: (request, url) => {
    const status = refusal(request, url.searchParams.get('model') ?? '', apiKey);
    return status === null ? null : { status };
  },
  open: (socket, _request, url) => {
    const send = (text: string): void => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    };
    const model = url.searchParams.get('model') ?? '';
    const session = new RealtimeSession(model, speed, { send, close: () => socket.terminate() });
    socket.on('message', (data, isBinary) => {
      if (!isBinary) session.receive(String(data));
    });
    socket.on('close', () => session.close());
  },
});

/** The HTTP status of a refused session; null: it begins. The beta's header is refused as well. */
function refusal(request: IncomingMessage, model: string, apiKey: string): number | null {
  if (!sameText(request.headers.authorization ?? '', `Bearer ${apiKey}`)) return 401;
  if (model === '' || 'openai-beta' in request.headers) return 400;
  return quirksOf(model).has('refuses') ? 503 : null;
}
