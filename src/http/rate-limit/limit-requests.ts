import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { TooManyRequests } from '#src/common/errors/api-error.js';

export interface RateLimitOptions {
  /** Null: no limit. */
  perMinute: number | null;
  /** Null: count in this process. */
  redisUrl: string | null;
  /** Which requests are counted. To be judged by the matched route: one route has many spellings of its path. */
  counts: (request: FastifyRequest) => boolean;
  /** Whether a text has the form of a token. */
  isToken: (text: string) => boolean;
}

const BEARER = /^Bearer +(\S+)$/i;
/** Tokens or addresses that are counted without a Redis. */
const MAX_KEYS_IN_MEMORY = 100_000;
/**
 * Milliseconds after which a Redis that hangs is disconnected; until it is ready again, requests do not wait for it.
 */
const ANSWER_MS = 250;
const READY_MS = 1_000;

/**
 * Limits the requests of each token before anything is read or looked up for them. A request without a well-formed
 * token is not counted: it is refused without a query, and each count is a key in Redis. While Redis does not answer,
 * requests are let through. Other limits use the same store by `fastify.createRateLimit`. What this lets through
 * `limitAccountRequests` counts by account.
 */
export async function limitRequests(
  fastify: FastifyInstance,
  { perMinute, redisUrl, counts, isToken }: RateLimitOptions,
): Promise<void> {
  await fastify.register(rateLimit, {
    global: false,
    timeWindow: 60_000,
    ...(redisUrl === null
      ? { cache: MAX_KEYS_IN_MEMORY }
      : { redis: await connect(fastify, redisUrl), nameSpace: 'calls:rate:' }),
  });
  if (perMinute === null) return;
  const keyGenerator = (request: FastifyRequest): string => fingerprint(tokenOf(request) ?? '');
  const count = fastify.createRateLimit({ max: perMinute, keyGenerator });
  fastify.addHook('onRequest', async (request, reply) => {
    if (!isToken(tokenOf(request) ?? '') || !counts(request)) return;
    answer(await count(request).catch(() => null), reply);
  });
}

/**
 * The same limit for all tokens of an account together: it may have a hundred. Registered after the tokens are looked
 * up; the headers of its responses then have the remaining requests of the account.
 */
export function limitAccountRequests(
  fastify: FastifyInstance,
  { perMinute }: Pick<RateLimitOptions, 'perMinute'>,
): void {
  if (perMinute === null) return;
  const keyGenerator = ({ grant }: FastifyRequest): string => `account ${grant?.accountId}`;
  const count = fastify.createRateLimit({ max: perMinute, keyGenerator });
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.grant !== null) answer(await count(request).catch(() => null), reply);
  });
}

type Usage = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>;

/** @throws TooManyRequests */
function answer(usage: Usage | null, reply: FastifyReply): void {
  if (usage === null || usage.isAllowed) return;
  // Not the headers of the package: its X-RateLimit-Reset counts seconds, the API's is a Unix time.
  reply.headers({
    'X-RateLimit-Limit': usage.max,
    'X-RateLimit-Remaining': usage.remaining,
    'X-RateLimit-Reset': Math.ceil((Date.now() + usage.ttl) / 1000),
  });
  if (usage.isExceeded) throw new TooManyRequests(Math.max(1, usage.ttlInSeconds));
}

const tokenOf = ({ headers }: FastifyRequest): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];

/** Tokens are stored as hashes only. */
const fingerprint = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Commands fail at once while the connection is not ready. */
async function connect(fastify: FastifyInstance, url: string): Promise<Redis> {
  const { Redis: Client } = await import('ioredis');
  const logger = new Logger('RateLimit');
  const redis = new Client(url, {
    // The start keeps this process busy for longer than an answer may take, so that it would cut the connection.
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: ANSWER_MS,
    // Its late responses make ioredis believe that a broken connection is open.
    disableClientInfo: true,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  });
  let isAway = false;
  redis.on('error', () => undefined);
  redis.on('reconnecting', () => {
    if (!isAway) logger.warn('Redis does not respond: requests are not limited until it does');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) logger.log('Redis responds again: requests are limited');
    isAway = false;
  });
  fastify.addHook('onReady', async () => {
    redis.connect().catch(() => undefined);
    // A start does not depend on it.
    await once(redis, 'ready', { signal: AbortSignal.timeout(READY_MS) }).catch(() => undefined);
  });
  fastify.addHook('onClose', async () => redis.disconnect());
  return redis;
}
