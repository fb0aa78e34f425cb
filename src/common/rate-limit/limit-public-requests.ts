import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, TooManyRequests } from '../errors/api-error.js';
import { networkOf } from './client-address.js';
import { KeyedCounter } from './keyed-counter.js';

/** Of a route that needs no token, in its Fastify `config`. A `:uuid` in the path names what messages are sent to. */
export interface PubliclyLimitedRoute {
  publicLimit?: 'begin' | 'message' | 'read';
}

interface Limit {
  name: string;
  max: number;
  /** Null: the request is not counted. */
  keyOf(request: FastifyRequest): string | null;
}

const WINDOW_MS = 60_000;
/** Messages to one conversation a minute, from whatever address. */
const MESSAGES_PER_MINUTE = 20;
/** What begins is stored, so that fewer requests may begin something. */
const BEGIN_SHARE = 6;
/** Anybody may send it. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Limits requests without a token by the address that they come from, messages by what they are sent to, and bodies. Uses the
 * store of `limitRequests`; while that does not answer, and for want of a Redis, each process counts by itself.
 */
export function limitPublicRequests(fastify: FastifyInstance, { perMinute }: { perMinute: number }): void {
  const limits: Limit[] = [
    { name: 'address', max: perMinute, keyOf: addressOf },
    {
      name: 'begin',
      max: Math.ceil(perMinute / BEGIN_SHARE),
      keyOf: (request) => (limitOf(request) === 'begin' ? addressOf(request) : null),
    },
    {
      name: 'messages',
      max: MESSAGES_PER_MINUTE,
      keyOf: (request) => (limitOf(request) === 'message' ? receiverOf(request) : null),
    },
  ];
  const counters = limits.map((limit) => new Counter(fastify, limit));
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
      throw readable(reply, new ApiError(413, 'Payload Too Large'));
    for (const counter of counters) {
      const secondsLeft = await counter.secondsLeft(request);
      if (secondsLeft !== null) throw readable(reply, new TooManyRequests(secondsLeft));
    }
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    if (limitOf(request) === undefined) done();
    else check(request, reply).then(() => done(), done);
  });
}

/** Pages of every origin may read that they ask too much: which of them are allowed is not known yet. */
function readable(reply: FastifyReply, error: ApiError): ApiError {
  void reply.header('access-control-allow-origin', '*');
  return error;
}

const limitOf = ({ routeOptions }: FastifyRequest) =>
  (routeOptions.config as PubliclyLimitedRoute).publicLimit;

const receiverOf = ({ params }: FastifyRequest): string => (params as { uuid?: string }).uuid ?? '';

/** Null for a request with a token, which counts for the token. */
function addressOf({ ip, grant }: FastifyRequest): string | null {
  if (grant !== null) return null;
  return networkOf(ip);
}

class Counter {
  private readonly count;
  private readonly memory: KeyedCounter;

  constructor(
    fastify: FastifyInstance,
    private readonly limit: Limit,
  ) {
    const { name, max } = limit;
    this.memory = new KeyedCounter(max);
    const keyGenerator = (request: FastifyRequest): string => `${name} ${limit.keyOf(request)}`;
    this.count = fastify.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  }

  /** @returns when the next request may come; null: this one may. */
  async secondsLeft(request: FastifyRequest): Promise<number | null> {
    const key = this.limit.keyOf(request);
    if (key === null) return null;
    const usage = await this.count(request).catch(() => null);
    if (usage === null) return this.memory.secondsLeft(key);
    return usage.isAllowed || !usage.isExceeded ? null : Math.max(1, usage.ttlInSeconds);
  }
}
