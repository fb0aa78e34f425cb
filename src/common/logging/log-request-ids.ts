import type { FastifyInstance } from 'fastify';
import { runWithLogContext } from './log-context.js';

/** Lines that are logged while a request is answered carry the id of its `X-Request-Id` header. */
export function logRequestIds(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => runWithLogContext({ requestId: request.id }, done));
}
