import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/internal';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Unauthenticated } from '#src/common/errors/api-error.js';
import { isPublic } from './auth.decorators.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account of the bearer token, set before the body is read; null on public routes. */
    accountId: number | null;
  }
}

/** The strategy stores the account's id as `user`. */
type Authenticated = FastifyRequest & { user?: number };

/** Requires a bearer token on every route that is not `@Public()`. */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor() {
    super({ session: false });
  }

  /** Checks the token only if the hook of `authenticateRequests` did not run. */
  override canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    const request = context.switchToHttp().getRequest<Authenticated>();
    if (isPublic(request)) return true;
    if (typeof request.accountId !== 'number') return super.canActivate(context);
    request.user = request.accountId;
    return true;
  }

  /** @throws Unauthenticated */
  async authenticate(request: Authenticated, reply: FastifyReply): Promise<number> {
    await super.canActivate(new ExecutionContextHost([request, reply]));
    if (request.user === undefined) throw new Unauthenticated();
    return request.user;
  }

  override handleRequest<T>(error: unknown, user: T | false): T {
    if (error) throw error;
    if (!user) throw new Unauthenticated();
    return user;
  }
}

/**
 * Checks the bearer token before the body is read. Nest's guards run after parsing, so clients without a token could
 * make the service parse a megabyte of JSON. The guard uses the result on the request. See docs/adr/0009.
 */
export function authenticateRequests(fastify: FastifyInstance, guard: BearerGuard): void {
  fastify.decorateRequest('accountId', null);
  fastify.addHook('onRequest', async (request, reply) => {
    if (!isPublic(request)) request.accountId = await guard.authenticate(request, reply);
  });
}
