import type { Clock } from '../conversations/engine/clock.js';
import {
  LanguageModel,
  type CompletionRequest,
  type ModelDelta,
  type ModelUsage,
  type StreamRequest,
  LanguageModelError,
} from './language-model.js';

/** Text token, tool call, pause of the clock in milliseconds, failure, the tokens of the answer, or what ends it. */
export type ModelStep =
  | string
  | { call: string; args?: string }
  | { waitMs: number }
  | { failure: LanguageModelError }
  | { usage: ModelUsage }
  | { retract: true }
  | { stopped: 'length' | 'filter' };

/** A model with scripted answers, in order; without a script it says nothing. */
export class FakeLanguageModel extends LanguageModel {
  readonly requests: StreamRequest[] = [];
  readonly completions: CompletionRequest[] = [];
  readonly warmed: (string | null)[] = [];
  private readonly answers: ModelStep[][] = [];
  private readonly texts: (string | LanguageModelError)[] = [];

  constructor(private readonly clock: Clock) {
    super();
  }

  /** The next answer to `stream`. */
  willSay(...steps: ModelStep[]): this {
    this.answers.push(steps);
    return this;
  }

  /** The next answer to `complete`. */
  willComplete(text: string | LanguageModelError): this {
    this.texts.push(text);
    return this;
  }

  override async warm(model: string | null): Promise<void> {
    this.warmed.push(model);
  }

  override async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    this.requests.push(request);
    for (const [index, step] of (this.answers.shift() ?? []).entries()) {
      await Promise.resolve();
      if (typeof step === 'object' && 'waitMs' in step) await this.pause(step.waitMs, signal);
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
