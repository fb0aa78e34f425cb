import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TooManyRequests } from '#src/common/errors/api-error.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import {
  KeyedConcurrencyLimiter,
  NoSlotError,
  type ReleaseSlot,
} from '#src/common/persistence/keyed-concurrency-limiter.js';

/** Waiting requests of one account; each holds little more than its socket. */
const MAX_WAITING = 500;
const MAX_WAIT_SECONDS = 10;

/** Limits the concurrent requests of one account in this process; further ones wait in order. */
@Injectable()
export class InFlightLimiterService {
  private readonly limiter: KeyedConcurrencyLimiter<number>;

  constructor(maxInFlight: number) {
    this.limiter = new KeyedConcurrencyLimiter(maxInFlight, {
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_SECONDS * 1000,
    });
  }

  /**
   * @param gone removes the request from the queue: its client disconnected
   * @throws TooManyRequests
   */
  async acquireSlot(accountId: number, gone?: AbortSignal): Promise<ReleaseSlot> {
    try {
      return await this.limiter.acquire(accountId, gone);
    } catch (error) {
      throw error instanceof NoSlotError ? new TooManyRequests(MAX_WAIT_SECONDS) : error;
    }
  }

  /**
   * Acquires the slot of a request; it is released when the response was sent or the connection is closed.
   * @throws TooManyRequests
   */
  async admitRequest(accountId: number, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const close = (): void => gone.abort();
    response.once('close', close);
    const release = await this.acquireSlot(accountId, gone.signal).finally(() =>
      response.off('close', close),
    );
    releaseAtEnd(response, release);
  }
}

function releaseAtEnd(response: ServerResponse, release: ReleaseSlot): void {
  if (response.closed || response.destroyed) release();
  else response.once('close', release);
}

/**
 * A request waits for its slot before its body is read, and uses database connections of its account's share.
 * `accountOf` returns null for public routes.
 */
export function limitInFlight(
  fastify: FastifyInstance,
  limiter: InFlightLimiterService,
  accountOf: (request: FastifyRequest) => number | null,
): void {
  fastify.addHook('onRequest', async (request, reply) => {
    const accountId = accountOf(request);
    const { isHeldOpen } = request.routeOptions.config;
    if (accountId !== null && !isHeldOpen) await limiter.admitRequest(accountId, reply.raw);
  });
  // After the body was read, because its events do not have the context of earlier hooks. With a callback, so that
  // the rest of the request runs in the context.
  fastify.addHook('preHandler', (request, _reply, done) => {
    const accountId = accountOf(request);
    if (accountId === null) done();
    else withConnectionQuota(accountId, done);
  });
}
