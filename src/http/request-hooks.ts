import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, BadRequest, NotFound } from '#src/common/errors/api-error.js';
import { MAX_BODY_BYTES } from './json-body.js';

const MAY_HAVE_BODY = /^(POST|PUT)$/;
/** A body of at most 1 MiB arrives in this time on any line; an upload has Node's limit for whole requests. */
const BODY_MS = 60_000;
/**
 * Bytes of a refused request's body that are read before its connection is closed: many clients send all, then read.
 */
const MAX_DISCARDED_BYTES = 2 * MAX_BODY_BYTES;
const DISCARD_MS = 10_000;

/** What holds for every request, before anything of its body is read. */
export function registerRequestHooks(fastify: FastifyInstance, { bodyMs = BODY_MS } = {}): void {
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    // Responses contain tokens and transcripts; the service's files have cache headers of their own.
    reply.header('cache-control', 'no-store');
    // Node would refuse it by itself, with an empty answer (`requireHostHeader`).
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      reply.header('connection', 'close');
      throw new BadRequest('Bad Request');
    }
    if (request.is404) throw new NotFound('Not Found');
  });
  // An empty body of any type is `{}`: clients send a type with every POST.
  fastify.addHook('preParsing', async (request, reply) => {
    const { acceptsUpload } = request.routeOptions.config;
    if (hasBody(request)) {
      if (!acceptsUpload) limitBodyTime(request, reply, bodyMs);
    } else if (MAY_HAVE_BODY.test(request.method)) delete request.raw.headers['content-type'];
  });
  fastify.addHook('onSend', async (request) => {
    if (hasBody(request) && request.raw.readableFlowing === null) discardBody(request);
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Node's own time limit counts for all routes alike, and an upload takes minutes. */
function limitBodyTime({ raw }: FastifyRequest, reply: FastifyReply, ms: number): void {
  const timer = setTimeout(() => {
    if (!reply.sent) void reply.header('connection', 'close').send(new ApiError(408, 'Request Timeout'));
  }, ms).unref();
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop).once('close', stop);
}

function discardBody({ raw }: FastifyRequest): void {
  let bytes = 0;
  const timer = setTimeout(() => raw.socket.destroy(), DISCARD_MS).unref();
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop).once('close', stop);
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) raw.socket.destroy();
  });
}

/** A worker listens for health checks and metrics only. */
export function restrictToHealth(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request, reply) => {
    if (!/^\/(health|metrics)(\/|$)/.test(request.url))
      return reply.status(404).send({ message: 'Not Found' });
  });
}

/** A client that takes no byte of its answer for so long is cut. */
const NO_PROGRESS_MS = 30_000;

/** From the moment an answer is being sent its reader must make progress: it occupies a slot of its account. */
export function disconnectSlowReaders(fastify: FastifyInstance, noProgressMs = NO_PROGRESS_MS): void {
  fastify.addHook('onSend', async (_request, reply) => {
    // Nobody listens for the time-out, so that the server destroys the socket.
    reply.raw.setTimeout(noProgressMs);
  });
}
