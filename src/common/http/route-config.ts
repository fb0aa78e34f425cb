import 'reflect-metadata';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';

/**
 * Adds to the `config` of a handler's Fastify route, which hooks read before Nest handles the request. Nest's
 * `@RouteConfig()` replaces what another decorator of the handler has set.
 */
export function addRouteConfig(handler: object, config: object): void {
  const known: object = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) ?? {};
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...known, ...config }, handler);
}

/** `addRouteConfig` as a decorator of a handler. */
export const WithRouteConfig =
  (config: object): MethodDecorator =>
  (_target, _key, descriptor) =>
    addRouteConfig(descriptor.value as object, config);
