import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { failSpan, startSpan } from '#src/common/tracing/tracing.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import type { ChatModel, ModelUsage } from './language-model.js';

const SECONDS = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];

/** `turn`: the assistant's model; `fallback`: beside it or in its place; `evaluation`: after the call. */
export type ModelRequestRole = 'turn' | 'fallback' | 'evaluation';
/** `aborted`: the customer interrupted, the call ended, or the other model was faster. */
export type ModelRequestOutcome = 'answered' | 'aborted' | 'failed';

/** Metrics and traces of requests to language models, by names of the catalogue. */
@Injectable()
export class ModelMetricsService {
  private readonly requests: Counter<'model' | 'role' | 'outcome'>;
  private readonly tokens: Counter<'model' | 'kind'>;
  private readonly firstToken: Histogram<'model'>;

  constructor({ registry }: MetricsService) {
    const registers = [registry];
    this.requests = new Counter({
      name: 'language_model_requests_total',
      help: 'Requests to language models that ended.',
      labelNames: ['model', 'role', 'outcome'],
      registers,
    });
    this.tokens = new Counter({
      name: 'language_model_tokens_total',
      help: 'Tokens of answers in calls, as the provider counts them; `cached` are part of `prompt`.',
      labelNames: ['model', 'kind'],
      registers,
    });
    this.firstToken = new Histogram({
      name: 'language_model_first_token_seconds',
      help: 'Time from a request in a call to the first token of its answer.',
      labelNames: ['model'],
      buckets: SECONDS,
      registers,
    });
  }

  observeFirstToken(model: string, seconds: number): void {
    this.firstToken.observe({ model }, seconds);
  }

  countTokens(model: string, { prompt, cached, completion }: ModelUsage): void {
    this.tokens.inc({ model, kind: 'prompt' }, prompt);
    this.tokens.inc({ model, kind: 'cached' }, cached);
    this.tokens.inc({ model, kind: 'completion' }, completion);
  }

  countRequest(model: string, role: ModelRequestRole, outcome: ModelRequestOutcome): void {
    this.requests.inc({ model, role, outcome });
  }
}

/** Metrics and span of one request to a model. */
export class ObservedModelRequest {
  private readonly span = startSpan('model request', { kind: 'client' });
  private readonly startedAt = performance.now();
  private model = 'other';
  private hasFirstToken = false;

  constructor(
    private readonly role: ModelRequestRole,
    private readonly metrics: ModelMetricsService | undefined,
  ) {
    this.span.setAttribute('model.role', role);
  }

  /** Models outside of the catalogue share one label. */
  setModel({ catalogName }: ChatModel): void {
    this.model = catalogName ?? this.model;
    this.span.setAttribute('gen_ai.request.model', this.model);
  }

  /** Text or a part of a tool call was received. */
  recordFirstToken(): void {
    if (this.hasFirstToken) return;
    this.hasFirstToken = true;
    this.span.addEvent('first token');
    this.metrics?.observeFirstToken(this.model, (performance.now() - this.startedAt) / 1000);
  }

  recordUsage(usage: ModelUsage): void {
    this.span.setAttributes({
      'gen_ai.usage.input_tokens': usage.prompt,
      'gen_ai.usage.output_tokens': usage.completion,
    });
    this.metrics?.countTokens(this.model, usage);
  }

  recordEnd(outcome: ModelRequestOutcome): void {
    if (outcome === 'failed') failSpan(this.span, 'LanguageModelError');
    this.span.setAttribute('model.outcome', outcome);
    this.span.end();
    this.metrics?.countRequest(this.model, this.role, outcome);
  }
}
