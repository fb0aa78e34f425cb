import {
  LanguageModelError,
  type ModelDelta,
  type ModelToolCall,
  type ModelUsage,
} from '../../llm/language-model.js';
import type { Clock } from '../engine/clock.js';
import type { SpokenAudio } from './spoken-audio.js';

/** Maximum wait for the end of a cancelled response. */
const END_TIMEOUT_MS = 1_000;

type Step = ModelDelta | { kind: 'end' } | { kind: 'failure'; error: LanguageModelError };

/** One response of the realtime model as a language model's stream. Its audio is in `speech`. */
export class RealtimeResponseStream {
  private readonly steps: Step[] = [];
  private notify: () => void = () => undefined;
  /** All text so far. */
  private pushed = '';
  private hasContent = false;
  private hasCalls = false;
  private isCancelled = false;
  private hasEnded = false;
  private resolveEnded: () => void = () => undefined;
  private readonly whenEnded = new Promise<void>((resolve) => (this.resolveEnded = resolve));

  constructor(
    readonly name: string,
    readonly speech: SpokenAudio,
    private readonly model: string,
  ) {}

  /** Whether text or a tool call was received. */
  get hasStarted(): boolean {
    return this.hasContent;
  }

  get isEnded(): boolean {
    return this.hasEnded;
  }

  /** Whether a complete tool call was received. */
  get callsTools(): boolean {
    return this.hasCalls;
  }

  /** Whether nobody reads it. */
  get isAbandoned(): boolean {
    return this.isCancelled;
  }

  /** Resolves when the provider has ended the response, with any status, or after a timeout. */
  async waitUntilEnded(clock: Clock): Promise<void> {
    if (this.hasEnded) return;
    let cancel = (): void => undefined;
    const limit = new Promise<void>((resolve) => (cancel = clock.setTimeout(resolve, END_TIMEOUT_MS)));
    await Promise.race([this.whenEnded, limit]);
    cancel();
  }

  abandon(): void {
    this.isCancelled = true;
  }

  /**
   * Removes unread text after the given one, the beginning of all text so far.
   *
   * @returns the text that was read
   */
  cutText(text: string): string {
    const unread = this.steps.map((step) => (step.kind === 'text' ? step.text : '')).join('');
    const read = this.pushed.slice(0, this.pushed.length - unread.length);
    const others = this.steps.filter(({ kind }) => kind !== 'text');
    const rest = text.slice(read.length);
    this.steps.splice(0, this.steps.length, ...others);
    if (rest !== '') this.steps.unshift({ kind: 'text', text: rest, spoken: true });
    this.pushed = text;
    return read;
  }

  addText(text: string): void {
    this.hasContent = true;
    this.pushed += text;
    this.push({ kind: 'text', text, spoken: true });
  }

  addToolCall(call: ModelToolCall): void {
    this.hasContent = this.hasCalls = true;
    this.push({ kind: 'tool_call', ...call });
  }

  /** @param usage null: not reported by the provider */
  complete(usage: ModelUsage | null): void {
    if (usage) this.push({ kind: 'usage', model: this.model, ...usage });
    this.push({ kind: 'end' });
    this.speech.complete = true;
    this.end();
  }

  fail(error: LanguageModelError): void {
    if (this.hasEnded) return;
    this.push({ kind: 'failure', error });
    this.speech.breakOff();
    this.end();
  }

  /** Ends early, without an error, when the signal aborts. @throws LanguageModelError */
  async *deltas(signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const onAbort = (): void => this.notify();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        const step = this.steps.shift();
        if (!step) await new Promise<void>((resolve) => (this.notify = resolve));
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
    this.notify();
  }

  private end(): void {
    this.hasEnded = true;
    this.resolveEnded();
  }
}
