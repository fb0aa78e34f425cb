import type { FastifyInstance } from 'fastify';

/** A worker listens for health checks and metrics only. */
export function onlyHealth(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request, reply) => {
    if (!/^\/(health|metrics)(\/|$)/.test(request.url))
      return reply.status(404).send({ message: 'Not Found' });
  });
}
