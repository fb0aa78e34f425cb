import { applyDecorators, Header, HttpCode } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PUBLIC_ROUTE } from '#src/auth/auth.decorators.js';
import { WithRouteConfig } from '#src/http/route-config.js';

/** `CORS_ORIGINS` does not answer for routes that web pages of other origins use without a token. */
export const PUBLIC_ROUTE_CORS = { cors: false } as const;

/** What pages may read of an answer. */
const EXPOSED_HEADERS = 'Idempotent-Replayed, Retry-After, X-Request-Id';

/**
 * For preflights, which do not contain the assistant: every origin may send requests, and only allowed ones can read
 * the response. No credentials.
 */
const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
  'access-control-max-age': '600',
} as const;

/** Answers preflights of pages of other origins. */
export const PreflightRoute = (): MethodDecorator =>
  applyDecorators(
    ApiExcludeEndpoint(),
    HttpCode(204),
    WithRouteConfig({ ...PUBLIC_ROUTE, ...PUBLIC_ROUTE_CORS }),
    ...Object.entries(PREFLIGHT_HEADERS).map(([name, value]) => Header(name, value)),
  );

/** Lets pages of this origin read the answer. */
export function allowOrigin(reply: FastifyReply, origin: string): void {
  void reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
    vary: 'Origin',
  });
}
