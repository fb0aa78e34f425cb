import { Post as NestPost } from '@nestjs/common';
import { addRouteConfig } from '../http/route-config.js';
import type { KeyedRoute } from './keyed-requests.js';

/** Nest's `@Post()` for a route that takes an `Idempotency-Key`, as every POST does. */
export const Post =
  (path: string | string[] = ''): MethodDecorator =>
  (target, key, descriptor) => {
    addRouteConfig(descriptor.value as object, { takesKey: true } satisfies KeyedRoute);
    return NestPost(path)(target, key, descriptor);
  };
