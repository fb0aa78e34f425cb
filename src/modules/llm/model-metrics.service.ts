import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { failSpan, startSpan } from '#src/common/tracing/tracing.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import type { ChatModel, ModelUsage } from './language-model.js';

const SECONDS = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];

/** `turn`: the assistant's model; `fallback`: asked beside it or in its place; `evaluation`: after the call. */
export type ModelRole = 'turn' | 'fallback' | 'evaluation';
/** `aborted`: the customer interrupted, the call ended, or the other model was faster. */
export type ModelOutcome = 'answered' | 'aborted' | 'failed';

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

  begun(model: string, seconds: number): void {
    this.firstToken.observe({ model }, seconds);
  }

  used(model: string, { prompt, cached, completion }: ModelUsage): void {
    this.tokens.inc({ model, kind: 'prompt' }, prompt);
    this.tokens.inc({ model, kind: 'cached' }, cached);
    this.tokens.inc({ model, kind: 'completion' }, completion);
  }

  ended(model: string, role: ModelRole, outcome: ModelOutcome): void {
    this.requests.inc({ model, role, outcome });
  }
}

/** One request to a model, from its beginning to its end. */
export class ObservedAnswer {
  private readonly span = startSpan('model request', { kind: 'client' });
  private readonly startedAt = performance.now();
  private model = 'other';
  private hasBegun = false;

  constructor(
    private readonly role: ModelRole,
    private readonly metrics: ModelMetricsService | undefined,
  ) {
    this.span.setAttribute('model.role', role);
  }

  /** Names that the catalogue does not have are one. */
  asks({ catalogName }: ChatModel): void {
    this.model = catalogName ?? this.model;
    this.span.setAttribute('gen_ai.request.model', this.model);
  }

  /** Text or a part of a tool call is here. */
  begun(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.span.addEvent('first token');
    this.metrics?.begun(this.model, (performance.now() - this.startedAt) / 1000);
  }

  used(usage: ModelUsage): void {
    this.span.setAttributes({
      'gen_ai.usage.input_tokens': usage.prompt,
      'gen_ai.usage.output_tokens': usage.completion,
    });
    this.metrics?.used(this.model, usage);
  }

  ended(outcome: ModelOutcome): void {
    if (outcome === 'failed') failSpan(this.span, 'LanguageModelError');
    this.span.setAttribute('model.outcome', outcome);
    this.span.end();
    this.metrics?.ended(this.model, this.role, outcome);
  }
}
