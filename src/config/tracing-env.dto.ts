import { ChoiceEnv, DecimalEnv, UrlEnv } from './env-fields.js';

/** The exporter itself reads further variables that OpenTelemetry defines. */
export class TracingEnv {
  @UrlEnv({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schemes: ['http:', 'https:'],
    example: 'http://127.0.0.1:4318',
    unset: 'no traces',
    description: 'Collector that takes traces over OTLP/HTTP',
  })
  endpoint: string | null = null;

  @ChoiceEnv({
    name: 'OTEL_TRACES_EXPORTER',
    values: ['otlp', 'none'],
    example: 'otlp',
    unset: '`otlp` with an endpoint, else `none`',
    description: '`otlp` without an endpoint sends to `http://localhost:4318`',
  })
  exporter: string | null = null;

  @DecimalEnv({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    min: 0,
    max: 1,
    example: '0.1',
    description: 'Share of the traces that is recorded, 0–1',
  })
  share = 1;
}
