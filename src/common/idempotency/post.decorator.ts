import { Post as NestPost } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/**
 * Nest's `@Post()` for a route that takes an `Idempotency-Key`, as every POST does. Not a global interceptor: Nest would
 * pass the answers of all other routes through its observables too.
 */
export const Post =
  (path: string | string[] = ''): MethodDecorator =>
  (target, key, descriptor) => {
    const handler = descriptor.value as object;
    const inner = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
    // Around those that shape the answer: what is kept for the key is the answer as it was sent.
    Reflect.defineMetadata(INTERCEPTORS_METADATA, [IdempotencyInterceptor, ...inner], handler);
    return NestPost(path)(target, key, descriptor);
  };
