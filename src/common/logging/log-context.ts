import type { FastifyInstance } from 'fastify';
import { addToSpan } from '../tracing/tracing.js';
import { runInContext, workContext, type WorkContext } from '../work-context.js';

export type LogContext = NonNullable<WorkContext['ids']>;

/** Runs a piece of work whose lines carry these ids, and none of the work that started it. */
export function runWithLogContext<T>(context: LogContext, work: () => T): T {
  return runInContext({ ids: { ...context } }, work);
}

/** Adds an id that is known only during the work, also to its span; without effect outside of `runWithLogContext`. */
export function addToLogContext(context: LogContext): void {
  Object.assign(workContext()?.ids ?? {}, context);
  if (context.callId !== undefined) addToSpan({ 'call.id': context.callId });
}

export const currentLogContext = (): LogContext => workContext()?.ids ?? {};

/** Lines that are logged while a request is answered carry the id of its `X-Request-Id` header. */
export function logRequestIds(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => runWithLogContext({ requestId: request.id }, done));
}
