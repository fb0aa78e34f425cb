import type { FastifyRequest } from 'fastify';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Unauthenticated } from '#src/common/errors/api-error.js';
import { addRouteConfig } from '#src/http/route-config.js';
import { grantsScope, type Scope } from '#src/http/scopes.js';
import { hashToken, type TokenGrant, type TokenUser } from './access-tokens.service.js';

/** For the `config` of a Fastify route that requires no bearer token. */
export const PUBLIC_ROUTE = { public: true } as const;

/** Requires no bearer token for a route or for all routes of a controller. */
export const Public =
  (): ClassDecorator & MethodDecorator =>
  (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const handlers: unknown[] = descriptor ? [descriptor.value] : methodsOf(target);
    for (const handler of handlers) if (typeof handler === 'function') addRouteConfig(handler, PUBLIC_ROUTE);
  };

/** For a public route that some requests bring a token to: one that is given must be valid. */
export const OptionalToken = (): MethodDecorator => (_target, _key, descriptor) =>
  addRouteConfig(descriptor.value as object, { ...PUBLIC_ROUTE, tokenOptional: true });

/** Whether the token of the request counts: it is required, or given where it is optional. */
export const requiresAuthentication = (request: FastifyRequest): boolean => {
  const { tokenOptional } = request.routeOptions.config;
  return !isPublic(request) || (tokenOptional === true && request.headers.authorization !== undefined);
};

/** A request that no route matches is not public. */
export const isPublic = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.public === true;

function methodsOf(target: object): unknown[] {
  const prototype: unknown = Reflect.get(target, 'prototype');
  if (typeof prototype !== 'object' || prototype === null) return [];
  const methods = Object.getOwnPropertyDescriptors(prototype);
  return Object.entries(methods)
    .filter(([name]) => name !== 'constructor')
    .map(([, { value }]) => value);
}

/** The id of the authenticated account. */
export const UserId = createParamDecorator(
  (_: unknown, context: ExecutionContext): number =>
    context.switchToHttp().getRequest<{ user: number }>().user,
);

/** The account and scopes of the request's token. */
export const RequestGrant = createParamDecorator((_: unknown, context: ExecutionContext): TokenGrant => {
  const { grant } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!grant) throw new Unauthenticated();
  return grant;
});

/** Whether the token of the request has this scope, besides that of its route. */
export const TokenHasScope = createParamDecorator((scope: Scope, context: ExecutionContext): boolean => {
  const { grant } = context.switchToHttp().getRequest<FastifyRequest>();
  return grantsScope(grant?.scopes ?? [], scope);
});

/** Who uses the token of the request, for an answer that must end when the client may not use it any more. */
export const RequestTokenUser = createParamDecorator((_: unknown, context: ExecutionContext): TokenUser => {
  const { headers, ip: address } = context.switchToHttp().getRequest<FastifyRequest>();
  return { tokenHash: hashToken(headers.authorization?.split(' ')[1] ?? ''), address };
});
