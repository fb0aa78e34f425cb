import type { Clock } from '../conversations/engine/clock.js';
import {
  LanguageModel,
  type CompletionRequest,
  type ModelDelta,
  type ModelUsage,
  type StreamRequest,
  LanguageModelError,
} from './language-model.js';

/** Text token, tool call, pause of the clock in milliseconds, failure, usage, or the end of the response. */
export type ModelStep =
  | string
  | { call: string; args?: string }
  | { waitMs: number }
  | { failure: LanguageModelError }
  | { usage: ModelUsage }
  | { retract: true }
  | { stopped: 'length' | 'filter' };

/** A model with scripted responses, in order; without a script they are empty. */
export class FakeLanguageModel extends LanguageModel {
  readonly requests: StreamRequest[] = [];
  readonly completions: CompletionRequest[] = [];
  readonly warmedModels: (string | null)[] = [];
  private readonly streams: ModelStep[][] = [];
  private readonly texts: (string | LanguageModelError)[] = [];

  constructor(private readonly clock: Clock) {
    super();
  }

  /** The next response of `stream`. */
  willSay(...steps: ModelStep[]): this {
    this.streams.push(steps);
    return this;
  }

  /** The next response of `complete`. */
  willComplete(text: string | LanguageModelError): this {
    this.texts.push(text);
    return this;
  }

  override async warm(model: string | null): Promise<void> {
    this.warmedModels.push(model);
  }

  override async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    this.requests.push(request);
    let hasText = false;
    for (const [index, step] of (this.streams.shift() ?? []).entries()) {
      await Promise.resolve();
      if (typeof step === 'object' && 'waitMs' in step) {
        const mostMs = (hasText && request.maxPauseMs) || Infinity;
        await this.pause(Math.min(step.waitMs, mostMs), signal);
        if (step.waitMs > mostMs && !signal.aborted) throw new LanguageModelError('too slow', true);
      }
      hasText ||= typeof step === 'string';
      if (signal.aborted) return;
      if (typeof step === 'object' && 'usage' in step)
        yield { kind: 'usage', model: request.model, ...step.usage };
      if (typeof step === 'object' && 'retract' in step) yield { kind: 'retract' };
      if (typeof step === 'object' && 'stopped' in step) yield { kind: 'stopped', reason: step.stopped };
      if (typeof step === 'string') yield { kind: 'text', text: step };
      else if ('failure' in step) throw step.failure;
      else if ('call' in step) {
        yield { kind: 'tool_call', id: `call_${index}`, name: step.call, arguments: step.args ?? '{}' };
      }
    }
  }

  override async complete(request: CompletionRequest): Promise<string> {
    this.completions.push(request);
    const text = this.texts.shift() ?? new LanguageModelError('nothing left to say', false, 400);
    if (text instanceof LanguageModelError) throw text;
    return text;
  }

  private pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.clock.setTimeout(resolve, ms);
      signal.addEventListener('abort', () => (cancel(), resolve()), { once: true });
    });
  }
}
