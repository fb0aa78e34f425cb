import type { Span } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { withCurrentSpan, failSpan, startSpan } from '#src/common/tracing/tracing.js';

/** Requested every few seconds by machines. */
const UNTRACED = /^\/(health|metrics)(\/|$|\?)/;

/**
 * A span for each request. A `traceparent` of the request does not count: anybody could decide what is recorded, and
 * under which id.
 */
export function traceRequests(fastify: FastifyInstance): void {
  const spans = new WeakMap<object, Span>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (UNTRACED.test(request.url)) return done();
    const span = startSpan(request.method, {
      kind: 'server',
      root: true,
      attributes: { 'http.request.method': request.method, 'request.id': request.id },
    });
    spans.set(request, span);
    withCurrentSpan(span, done);
  });
  fastify.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request);
    if (!span) return;
    // The template: paths contain ids, and those of the carrier's callbacks tokens.
    const route = request.routeOptions.url ?? 'unknown';
    span.updateName(`${request.method} ${route}`);
    span.setAttributes({ 'http.route': route, 'http.response.status_code': statusCode });
    const { grant } = request as { grant?: { accountId: number } | null };
    if (grant) span.setAttribute('account.id', grant.accountId);
    if (statusCode >= 500) failSpan(span, String(statusCode));
    span.end();
  });
}
