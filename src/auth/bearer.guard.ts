import { Injectable, type ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/internal';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Unauthenticated } from '#src/common/errors/api-error.js';
import { isPublic } from './auth.decorators.js';

/** The strategy leaves the account's id on the request. */
type Authenticated = FastifyRequest & { user?: number };

/** Every route asks for a bearer token unless it is marked `@Public()`. */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor() {
    super({ session: false });
  }

  /** The token is checked once: here only where the hook of `authenticateRequests` has not done it. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Authenticated>();
    if (isPublic(request)) return true;
    if (typeof request.accountId !== 'number') return (await super.canActivate(context)) === true;
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
