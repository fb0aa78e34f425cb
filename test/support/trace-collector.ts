import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.js';

export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  attributes: Record<string, unknown>;
  events: string[];
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
  failed: boolean;
}

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  events: { name: string }[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
}

interface OtlpRequest {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
}

/** A collector of traces over OTLP/HTTP with JSON. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** All that came, as text. */
  text = '';
  requests = 0;
  /** `hangs`: takes requests and never answers. */
  mood: 'takes' | 'refuses' | 'hangs' = 'takes';
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.requests += 1;
      if (this.mood === 'hangs') return;
      if (this.mood === 'takes' && request.url === '/v1/traces') this.take(Buffer.concat(chunks).toString());
      response.writeHead(this.mood === 'takes' ? 200 : 400, { 'content-type': 'application/json' }).end('{}');
    });
  });

  static async open(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits for a span. */
  span(name: string, wanted: (span: CollectedSpan) => boolean = () => true): Promise<CollectedSpan> {
    return until(async () => this.spans.find((span) => span.name === name && wanted(span)) ?? null);
  }

  /** The spans of a trace below this one. */
  childrenOf({ spanId, traceId }: CollectedSpan): CollectedSpan[] {
    return this.spans.filter((span) => span.parentSpanId === spanId && span.traceId === traceId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(text: string): void {
    this.text += text;
    const { resourceSpans } = JSON.parse(text) as OtlpRequest;
    const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    this.spans.push(...spans.map(toSpan));
  }
}

const toSpan = (span: OtlpSpan): CollectedSpan => ({
  name: span.name,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId || null,
  attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
  events: span.events.map(({ name }) => name),
  from: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
  to: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
  failed: span.status.code === 2,
});
