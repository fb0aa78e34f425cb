import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers by which a client offers another protocol; without them the request is a plain one. */
const OFFERS = new Set(['upgrade', 'http2-settings']);
const KEY = /^[+/\dA-Za-z]{22}==$/;
const PROTOCOLS = /^[!#$%&'*+.^`|~\w-]+(?:[ \t]*,[ \t]*[!#$%&'*+.^`|~\w-]+)*$/;
const VERSIONS = ['8', '13'];

/** Whether the client requests a WebSocket. Others offer HTTP/2 (`h2c`), which a server need not accept. */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Responds over HTTP/1.1 to a request that offered another protocol. Node detaches the socket of such a request, so
 * the request is written again, without the offer, before later bytes of the client.
 */
export function respondWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (OFFERS.has(name.toLowerCase())) continue;
    const kept = name.toLowerCase() === 'connection' ? withoutOffers(value) : value;
    if (kept !== '') lines.push(`${name}: ${kept}`);
  }
  socket.removeAllListeners('error');
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

/**
 * The status that refuses a WebSocket for this request; null: it is accepted. Checked before anything is done for it,
 * as RFC 6455, 4.2.1 has it.
 */
export function handshakeRefusal({ method, headers }: IncomingMessage): string | null {
  if (method !== 'GET') return '405 Method Not Allowed';
  const version = headers['sec-websocket-version'] ?? '';
  if (!VERSIONS.includes(version)) return '426 Upgrade Required\r\nSec-WebSocket-Version: 13, 8';
  const protocol = headers['sec-websocket-protocol'];
  const isGood =
    KEY.test(headers['sec-websocket-key'] ?? '') && (protocol === undefined || PROTOCOLS.test(protocol));
  return isGood ? null : '400 Bad Request';
}

const withoutOffers = (connection: string): string =>
  connection
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '' && !OFFERS.has(option.toLowerCase()))
    .join(', ');
