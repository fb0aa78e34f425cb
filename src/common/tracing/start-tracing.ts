import { setTimeout as sleep } from 'node:timers/promises';
import { context, trace } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { LoggerService } from '@nestjs/common';

export interface TracingOptions {
  /** The share of traces that is recorded, 0–1. */
  share: number;
  /** Of this process, unique. */
  processName: string;
}

const SERVICE_NAME = 'voice-assistant-calls';
/** Queued spans; further ones are dropped. */
const MAX_WAITING = 4_096;
const EXPORT_EVERY_MS = 2_000;
const EXPORT_TIMEOUT_MS = 10_000;
/** How long the end of the process waits for the collector. */
const FLUSH_MS = 2_000;
/** An answer that a model writes into an attribute would be cut there. */
const MAX_ATTRIBUTE_CHARACTERS = 256;

/**
 * Sends spans over OTLP/HTTP as JSON. Address, headers and time-out of the exporter come from the environment variables
 * that OpenTelemetry defines. The packages are loaded here, so that a service without tracing does not.
 *
 * @returns sends what waits, for two seconds at most
 */
export async function startTracing(
  { share, processName }: TracingOptions,
  logger: LoggerService,
): Promise<() => Promise<void>> {
  const [sdk, { OTLPTraceExporter }, resources, { AsyncLocalStorageContextManager }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
  ]);
  const own = { 'service.name': SERVICE_NAME, 'service.instance.id': processName };
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes(own))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new ReportingExporter(new OTLPTraceExporter(), logger),
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    const flushed = provider.shutdown().catch(() => undefined);
    await Promise.race([flushed, sleep(FLUSH_MS, undefined, { ref: false })]);
  };
}

type Done = Parameters<SpanExporter['export']>[1];

/** One line when the collector stops taking spans, and one when it takes them again. */
class ReportingExporter implements SpanExporter {
  private fails = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly logger: LoggerService,
  ) {}

  export(spans: ReadableSpan[], done: Done): void {
    this.exporter.export(spans, (result) => {
      // 0: ExportResultCode.SUCCESS
      this.report(result.code !== 0);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  private report(fails: boolean): void {
    if (fails && !this.fails)
      this.logger.warn(
        'The collector at OTEL_EXPORTER_OTLP_ENDPOINT does not take spans; they are dropped',
        'Tracing',
      );
    if (!fails && this.fails) this.logger.log('The collector of traces takes spans again', 'Tracing');
    this.fails = fails;
  }
}
