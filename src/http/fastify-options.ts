import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { toErrorResponse } from './errors/error-response.js';

const REQUEST_ID = /^[\w.:-]{1,128}$/;
/** Longer than a proxy in front keeps its connections, so that it is never answered by a closed one. */
const KEEP_ALIVE_MS = 72_000;
/** For the largest upload, 100 MiB, on a line of 256 kbit/s. Headers have a minute, other bodies too. */
const REQUEST_MS = 3_600_000;
const HEADERS_MS = 60_000;

/** @param trustedProxies CIDR ranges; `request.ip` is the address that one of them sends in `X-Forwarded-For` */
export function fastifyOptions({
  trustedProxies = [],
}: { trustedProxies?: string[] } = {}): FastifyServerOptions {
  return {
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    // A request without Host is refused by `registerRequestHooks`: Node's refusal has no body.
    http: { requireHostHeader: false, headersTimeout: HEADERS_MS },
    // The request's own id is kept, so that logs on both sides can be laid beside each other.
    genReqId: (request) => givenId(request) ?? randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    frameworkErrors: sendErrorResponse,
    clientErrorHandler: refuseMalformed,
  } as FastifyServerOptions;
}

function givenId(request: IncomingMessage): string | null {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : null;
}

/** What Fastify refuses before routing, such as an undecodable URL. */
export function sendErrorResponse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body, headers } = toErrorResponse(error);
  void reply
    .status(status)
    .headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...headers,
    })
    .send(body);
}

/** Errors of Node's parser that are no 400. */
const STATUS_OF: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Bytes that are no HTTP request, or arrived too late: there is no reply object. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status = STATUS_OF[error.code ?? ''] ?? 400;
  const message = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ message });
  const head = [
    `HTTP/1.1 ${status} ${message}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
