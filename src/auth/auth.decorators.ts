import 'reflect-metadata';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyRequest } from 'fastify';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { hashToken } from './access-tokens.service.js';

/** For the `config` of a Fastify route that requires no bearer token. */
export const PUBLIC_ROUTE = { public: true } as const;

/** Requires no bearer token for a route or for all routes of a controller. */
export const Public =
  (): ClassDecorator & MethodDecorator =>
  (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const handlers: unknown[] = descriptor ? [descriptor.value] : methodsOf(target);
    for (const handler of handlers) if (typeof handler === 'function') markPublic(handler);
  };

/** A request that no route matches is not public. */
export const isPublic = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as Partial<typeof PUBLIC_ROUTE>).public === true;

function methodsOf(target: object): unknown[] {
  const prototype: unknown = Reflect.get(target, 'prototype');
  if (typeof prototype !== 'object' || prototype === null) return [];
  const methods = Object.getOwnPropertyDescriptors(prototype);
  return Object.entries(methods)
    .filter(([name]) => name !== 'constructor')
    .map(([, { value }]) => value);
}

/** In Fastify's `config`, because a hook checks the token before Nest handles the request. */
function markPublic(handler: object): void {
  const config: object = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) ?? {};
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, ...PUBLIC_ROUTE }, handler);
}

/** The id of the authenticated account. */
export const UserId = createParamDecorator(
  (_: unknown, context: ExecutionContext): number =>
    context.switchToHttp().getRequest<{ user: number }>().user,
);

/** The hash of the token of the request, for an answer that must end when the token is revoked. */
export const TokenHash = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return hashToken(headers.authorization?.split(' ')[1] ?? '');
});
