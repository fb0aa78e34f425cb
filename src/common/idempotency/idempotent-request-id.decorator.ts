import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { KeyedRequest } from './keyed-request.js';

/**
 * Names the logical request of an `Idempotency-Key` (decimal text), null without one. It is the same again when
 * the process that worked on the request died and the client repeats it: what a handler does outside the
 * database is kept under this name, so that it is found instead of done twice.
 */
export const IdempotentRequestId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null =>
    context.switchToHttp().getRequest<KeyedRequest>().idempotentRequestId ?? null,
);
