import type { FastifyInstance } from 'fastify';
import type { BearerGuard } from './bearer.guard.js';
import { isPublic } from './auth.decorators.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account of the bearer token, known before the body is read; null on public routes. */
    accountId: number | null;
  }
}

/**
 * Checks the bearer token before the body is read: Nest's guards run after it was parsed, which would let anybody
 * make the service read a megabyte of JSON. The guard finds the result on the request and looks nothing up.
 */
export function authenticateRequests(fastify: FastifyInstance, guard: BearerGuard): void {
  fastify.decorateRequest('accountId', null);
  fastify.addHook('onRequest', async (request, reply) => {
    if (!isPublic(request)) request.accountId = await guard.authenticate(request, reply);
  });
}
