import {
  type Attributes,
  context,
  isSpanContextValid,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/*
 * Traces for operators. Without an exporter (start-tracing.ts) these functions only run their work. Attributes are ids,
 * counts, names of hosts and of parts of the service; never phone numbers, transcripts, variables, prompts or secrets.
 */

/** A proxy: it creates spans from the moment on that an exporter is set. */
const tracer = trace.getTracer('calls');

export interface SpanOptions {
  attributes?: Attributes;
  /** `client`: waits for another system; `server`: another system waits. */
  kind?: 'internal' | 'client' | 'server';
  /** Milliseconds since the epoch; now where it is absent. */
  startTime?: number | undefined;
  /** Begins a trace of its own. */
  root?: boolean;
}

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER };

/** A span below the current one; the caller ends it. */
export function startSpan(
  name: string,
  { attributes, kind = 'internal', startTime, root }: SpanOptions = {},
): Span {
  return tracer.startSpan(name, {
    kind: KINDS[kind],
    ...(attributes && { attributes }),
    ...(startTime !== undefined && { startTime }),
    ...(root && { root }),
  });
}

/** Runs the work in a span, which ends with it; spans and log lines of the work belong to it. */
export async function runInSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options);
  try {
    return await withCurrentSpan(span, () => work(span));
  } catch (error) {
    failSpan(span, error instanceof Error ? error.name : 'error');
    throw error;
  } finally {
    span.end();
  }
}

export const withCurrentSpan = <T>(span: Span, work: () => T): T =>
  context.with(trace.setSpan(context.active(), span), work);

/** @param type a name of few values: the text of an error may quote data */
export function failSpan(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', type);
}

/** A moment of the current span. */
export function addSpanEvent(event: string): void {
  trace.getActiveSpan()?.addEvent(event);
}

/** Adds an id that is known only during the work. */
export function addToSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

export interface PastSpan {
  /** Milliseconds since the epoch. */
  startTime: number;
  endTime: number;
  attributes: Attributes;
}

/** @returns a function that adds finished spans below the current span */
export function pastSpanRecorder(): (name: string, span: PastSpan) => void {
  const parent = context.active();
  return (name, { startTime, endTime, attributes }) =>
    tracer.startSpan(name, { startTime, attributes }, parent).end(endTime);
}

/** Ids of the current span for log lines; nothing without one. */
export function currentTraceIds(): { traceId?: string; spanId?: string } {
  const ids = trace.getActiveSpan()?.spanContext();
  return ids && isSpanContextValid(ids) ? { traceId: ids.traceId, spanId: ids.spanId } : {};
}

/** The W3C header with which a receiver continues the trace: random ids and whether it is recorded. */
export function traceHeaders(span: Span): { traceparent?: string } {
  const ids = span.spanContext();
  if (!isSpanContextValid(ids)) return {};
  return { traceparent: `00-${ids.traceId}-${ids.spanId}-0${ids.traceFlags & 1}` };
}
