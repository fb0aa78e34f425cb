import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MemoryCounter, type Usage } from './request-counter.js';
import { RedisCounter } from './redis-counter.js';

export interface RateLimitOptions {
  /** Null: no limit. */
  perMinute: number | null;
  /** Null: count in this process. */
  redisUrl: string | null;
  /** Which requests are counted. To be judged by the matched route: one route has many spellings of its path. */
  counts: (request: FastifyRequest) => boolean;
}

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Limits the requests of each token, before anything is read or looked up for them. A request without a token
 * is not counted: it is refused anyway.
 */
export function limitRequests(
  fastify: FastifyInstance,
  { perMinute, redisUrl, counts }: RateLimitOptions,
): void {
  if (perMinute === null) return;
  const counter = redisUrl === null ? new MemoryCounter() : new RedisCounter(redisUrl);
  fastify.addHook('onReady', () => counter.ready());
  fastify.addHook('onClose', async () => counter.close());
  fastify.addHook('onRequest', async (request, reply) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined || !counts(request)) return;
    const usage = await counter.count(fingerprint(token));
    if (usage === null) return;
    reply.headers(headersOf(usage, perMinute));
    if (usage.count <= perMinute) return;
    const retryAfter = Math.max(1, Math.ceil(usage.resetMs / 1000));
    return reply
      .status(429)
      .header('Retry-After', retryAfter)
      .send({ message: 'Too many requests. Please try again later.', retry_after: retryAfter });
  });
}

/** `X-RateLimit-Reset` is the Unix time in seconds at which the window ends. */
const headersOf = ({ count, resetMs }: Usage, limit: number) => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': Math.max(0, limit - count),
  'X-RateLimit-Reset': Math.ceil((Date.now() + resetMs) / 1000),
});

/** Tokens are stored as hashes only. */
const fingerprint = (token: string): string => createHash('sha256').update(token).digest('base64url');
