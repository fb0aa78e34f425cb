import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { toErrorAnswer } from '../errors/error-answer.js';

const REQUEST_ID = /^[\w.:-]{1,128}$/;
/** Longer than a proxy in front keeps its connections, so that it is never answered by a closed one. */
const KEEP_ALIVE_MS = 72_000;

export function fastifyOptions(): FastifyServerOptions {
  return {
    trustProxy: true,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: 60_000,
    // The request's own id is kept, so that logs on both sides can be laid beside each other.
    genReqId: (request) => givenId(request) ?? randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    frameworkErrors: answerInShape,
    clientErrorHandler: refuseMalformed,
  } as FastifyServerOptions;
}

function givenId(request: IncomingMessage): string | null {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : null;
}

/** What Fastify refuses before routing, such as an undecodable URL. */
function answerInShape(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const { status, body } = toErrorAnswer(error);
  void reply.status(status).send(body);
}

/** Bytes that are no HTTP request: there is no reply object to answer with. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify({ message: status.slice(4) });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
