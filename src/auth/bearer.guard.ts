import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AddressNotAllowed, Forbidden, Unauthenticated } from '#src/common/errors/api-error.js';
import { runInContext } from '#src/common/work-context.js';
import { grantsScope, requiredScope } from '#src/http/scopes.js';
import { mayUseFrom, type TokenGrant } from './access-tokens.service.js';
import { isPublic, requiresAuthentication } from './auth.decorators.js';
import { TokenUsageService } from './token-usage.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The grant of the bearer token, set before the body is read; null on public routes without a token. */
    grant: TokenGrant | null;
  }
}

/** Requires on every route that is not `@Public()` a bearer token with the route's scope. */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(private readonly usage: TokenUsageService) {
    super({ session: false });
  }

  /** Checks the token only if the hook of `authenticateRequests` did not run. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!isPublic(request) && !request.grant) await this.authorize(request, http.getResponse<FastifyReply>());
    return true;
  }

  /** @throws Unauthenticated, AddressNotAllowed, Forbidden */
  async authorize(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const http = { getRequest: () => request, getResponse: () => reply };
    await super.canActivate({ switchToHttp: () => http } as unknown as ExecutionContext);
    const { grant, ip } = request;
    if (!grant) throw new Unauthenticated();
    if (!mayUseFrom(ip, grant.allowedAddresses)) throw new AddressNotAllowed();
    if (grant.isUseDue) this.usage.recordUse(grant.id, ip);
    const scope = requiredScope(request.method, request.routeOptions.config);
    if (!grantsScope(grant.scopes, scope)) throw new Forbidden(scope);
  }

  /** @returns what passport sets as the `user` of the request: the account's id */
  override handleRequest<T>(
    error: unknown,
    grant: TokenGrant | false,
    _info: unknown,
    context: ExecutionContext,
  ): T {
    if (error) throw error;
    if (!grant) throw new Unauthenticated();
    context.switchToHttp().getRequest<FastifyRequest>().grant = grant;
    return grant.accountId as T;
  }
}

/**
 * Checks the bearer token and its scope before the body is read. Nest's guards run after parsing, so clients without
 * a token could make the service parse a megabyte of JSON. The guard uses the result on the request. See
 * docs/build/adr/0009.
 */
export function authenticateRequests(fastify: FastifyInstance, guard: BearerGuard): void {
  fastify.decorateRequest('grant', null);
  fastify.addHook('onRequest', async (request, reply) => {
    if (requiresAuthentication(request)) await guard.authorize(request, reply);
  });
  // After the body was read, because its events do not have the context of earlier hooks.
  fastify.addHook('preHandler', ({ grant, ip, id: requestId }, _reply, done) => {
    if (!grant) return done();
    runInContext({ actor: { type: 'key', id: grant.id, name: grant.name, address: ip, requestId } }, done);
  });
}
