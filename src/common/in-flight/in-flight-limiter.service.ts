import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.js';
import {
  KeyedConcurrencyLimiter,
  NoSlotError,
  type Release,
} from '../persistence/keyed-concurrency-limiter.js';

/** Of one account; each holds little more than its socket. */
const MAX_WAITING = 500;
const MAX_WAIT_SECONDS = 10;

/** The same error as the rate limit's, which clients handle already. */
export class TooManyInFlight extends ApiError {
  constructor() {
    super(
      429,
      'Too many requests. Please try again later.',
      { retry_after: MAX_WAIT_SECONDS },
      { 'Retry-After': String(MAX_WAIT_SECONDS) },
    );
  }
}

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
   * @param gone takes a request out of the queue whose client went away
   * @throws TooManyInFlight
   */
  async enter(accountId: number, gone?: AbortSignal): Promise<Release> {
    try {
      return await this.limiter.enter(accountId, gone);
    } catch (error) {
      throw error instanceof NoSlotError ? new TooManyInFlight() : error;
    }
  }

  /**
   * For a request: its slot is released when the response has been sent or the connection is closed.
   * @throws TooManyInFlight
   */
  async admit(accountId: number, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const close = (): void => gone.abort();
    response.once('close', close);
    const release = await this.enter(accountId, gone.signal).finally(() => response.off('close', close));
    if (response.closed || response.destroyed) release();
    else response.once('close', release);
  }
}

/** A request waits for its slot before its body is read. `accountOf` returns null for public routes. */
export function limitInFlight(
  fastify: FastifyInstance,
  limiter: InFlightLimiterService,
  accountOf: (request: FastifyRequest) => number | null,
): void {
  fastify.addHook('onRequest', async (request, reply) => {
    const accountId = accountOf(request);
    if (accountId !== null) await limiter.admit(accountId, reply.raw);
  });
}
