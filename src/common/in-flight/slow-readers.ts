import type { FastifyInstance } from 'fastify';

/** A client that takes no byte of its answer for so long is cut. */
const NO_PROGRESS_MS = 30_000;

/** From the moment an answer is being sent its reader must make progress: it holds a place of its account. */
export function cutSlowReaders(fastify: FastifyInstance, noProgressMs = NO_PROGRESS_MS): void {
  fastify.addHook('onSend', async (_request, reply) => {
    // Nobody listens for the time-out, so that the server destroys the socket.
    reply.raw.setTimeout(noProgressMs);
  });
}
