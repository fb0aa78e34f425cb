import {
  LanguageModelError,
  type ModelDelta,
  type ModelToolCall,
  type ModelUsage,
} from '../../llm/language-model.js';
import type { SpokenAudio } from './spoken-audio.js';

type Step = ModelDelta | { kind: 'end' } | { kind: 'failure'; error: LanguageModelError };

/** One answer of the realtime model as a language model's stream. Its audio goes another way: `speech`. */
export class RealtimeAnswer {
  private readonly steps: Step[] = [];
  private wake: () => void = () => undefined;
  private hasBegun = false;
  private hasEnded = false;
  private resolveOver: () => void = () => undefined;
  /** Resolves when the provider has ended the response, whatever became of it. */
  readonly over = new Promise<void>((resolve) => (this.resolveOver = resolve));

  constructor(
    readonly name: string,
    readonly speech: SpokenAudio,
    private readonly model: string,
  ) {}

  /** Whether anything useful has arrived. */
  get begun(): boolean {
    return this.hasBegun;
  }

  get ended(): boolean {
    return this.hasEnded;
  }

  text(text: string): void {
    this.hasBegun = true;
    this.push({ kind: 'text', text, spoken: true });
  }

  call(call: ModelToolCall): void {
    this.hasBegun = true;
    this.push({ kind: 'tool_call', ...call });
  }

  /** @param usage null: the provider tells none */
  done(usage: ModelUsage | null): void {
    if (usage) this.push({ kind: 'usage', model: this.model, ...usage });
    this.push({ kind: 'end' });
    this.end();
  }

  fail(error: LanguageModelError): void {
    this.push({ kind: 'failure', error });
    this.end();
  }

  /** Ends early, without an error, when the signal aborts. @throws LanguageModelError */
  async *deltas(signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const onAbort = (): void => this.wake();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        const step = this.steps.shift();
        if (!step) await new Promise<void>((resolve) => (this.wake = resolve));
        else if (step.kind === 'end') return;
        else if (step.kind === 'failure') throw step.error;
        else yield step;
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  private push(step: Step): void {
    this.steps.push(step);
    this.wake();
  }

  private end(): void {
    this.hasEnded = true;
    this.speech.complete = true;
    this.resolveOver();
  }
}
