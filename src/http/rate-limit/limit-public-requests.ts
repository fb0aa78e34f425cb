import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, TooManyRequests } from '#src/common/errors/api-error.js';
import { addressKey } from './address-key.js';
import { FixedWindowCounter } from './fixed-window-counter.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts a request whose token turned out to be another account's than the assistant's: for the assistant it is a
     * visitor's request. Does nothing for a request that was counted before.
     * @throws TooManyRequests
     */
    countAsVisitor: (() => Promise<void>) | null;
  }
}

interface Limit {
  name: string;
  max: number;
  /** Null: the request is not counted. */
  keyOf(request: FastifyRequest): string | null;
  /** Requests with a token of the assistant's account are not counted. */
  isOfVisitors: boolean;
}

const WINDOW_MS = 60_000;
/** Messages to one conversation a minute, from all addresses. */
const MESSAGES_PER_MINUTE = 20;
/** What begins is stored, so that fewer requests may begin something. */
const BEGIN_SHARE = 6;
/** A message is answered by the model. */
const MESSAGE_SHARE = 3;
/** Anybody may send it. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Limits requests of visitors by the address that they come from, messages also by what they are sent to, and bodies. A
 * request without a token is a visitor's; one with a token is when its account does not own the assistant, which the
 * guard of its route finds out (`countAsVisitor`). Uses the store of `limitRequests`; while that does not answer, and
 * for want of a Redis, each process counts by itself.
 */
export function limitPublicRequests(fastify: FastifyInstance, { perMinute }: { perMinute: number }): void {
  const limits: Limit[] = [
    { name: 'address', max: perMinute, keyOf: addressOf, isOfVisitors: true },
    {
      name: 'begin',
      max: Math.ceil(perMinute / BEGIN_SHARE),
      keyOf: (request) => (limitOf(request) === 'begin' ? addressOf(request) : null),
      isOfVisitors: true,
    },
    {
      name: 'write',
      max: Math.ceil(perMinute / MESSAGE_SHARE),
      keyOf: (request) => (limitOf(request) === 'message' ? addressOf(request) : null),
      isOfVisitors: true,
    },
    {
      name: 'messages',
      max: MESSAGES_PER_MINUTE,
      keyOf: (request) => (limitOf(request) === 'message' ? receiverOf(request) : null),
      isOfVisitors: false,
    },
  ];
  const counters = limits.map((limit) => new Counter(fastify, limit));
  const ofVisitors = counters.filter(({ limit }) => limit.isOfVisitors);
  const ofAll = counters.filter(({ limit }) => !limit.isOfVisitors);
  const count = async (some: Counter[], request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    for (const counter of some) {
      const secondsLeft = await counter.secondsLeft(request);
      if (secondsLeft !== null) throw readable(reply, new TooManyRequests(secondsLeft));
    }
  };
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
      throw readable(reply, new ApiError(413, 'Payload Too Large'));
    if (request.grant === null) await count(ofVisitors, request, reply);
    else request.countAsVisitor = () => count(ofVisitors, request, reply);
    await count(ofAll, request, reply);
  };
  fastify.decorateRequest('countAsVisitor', null);
  fastify.addHook('onRequest', async (request, reply) => {
    if (limitOf(request) !== undefined) await check(request, reply);
  });
}

/** Pages of every origin may read this response: the allowed origins are not known yet. */
function readable(reply: FastifyReply, error: ApiError): ApiError {
  void reply.header('access-control-allow-origin', '*');
  return error;
}

const limitOf = ({ routeOptions }: FastifyRequest) => routeOptions.config.publicLimit;

/** A uuid has several spellings. */
const receiverOf = ({ params }: FastifyRequest): string =>
  ((params as { uuid?: string }).uuid ?? '').toLowerCase();

const addressOf = ({ ip }: FastifyRequest): string => addressKey(ip);

class Counter {
  private readonly count;
  private readonly memory: FixedWindowCounter;

  constructor(
    fastify: FastifyInstance,
    readonly limit: Limit,
  ) {
    const { name, max } = limit;
    const keyGenerator = (request: FastifyRequest): string => `${name} ${limit.keyOf(request)}`;
    this.count = fastify.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
    this.memory = new FixedWindowCounter(max, WINDOW_MS);
  }

  /** @returns the time of the next allowed request; null: this one is allowed. */
  async secondsLeft(request: FastifyRequest): Promise<number | null> {
    const key = this.limit.keyOf(request);
    if (key === null) return null;
    const usage = await this.count(request).catch(() => null);
    if (usage === null) return this.memory.count(key);
    return usage.isAllowed || !usage.isExceeded ? null : Math.max(1, usage.ttlInSeconds);
  }
}
