import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import { addToSpan } from '../tracing/tracing.js';

/** Ids that every line carries which is logged during a piece of work. */
export interface LogContext {
  requestId?: string;
  callId?: number;
  job?: string;
  rowId?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Runs a piece of work whose lines carry these ids, and none of the work that started it. */
export function runWithLogContext<T>(context: LogContext, work: () => T): T {
  return storage.run({ ...context }, work);
}

/** For an id that becomes known while the work runs, also in its span; without effect outside of `runWithLogContext`. */
export function addToLogContext(context: LogContext): void {
  Object.assign(storage.getStore() ?? {}, context);
  if (context.callId !== undefined) addToSpan({ 'call.id': context.callId });
}

export const currentLogContext = (): LogContext => storage.getStore() ?? {};

/** Lines that are logged while a request is answered carry the id of its `X-Request-Id` header. */
export function logRequestIds(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => runWithLogContext({ requestId: request.id }, done));
}
