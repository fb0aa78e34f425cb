import {
  type AnsweringModel,
  FilteredAnswerError,
  LanguageModelError,
  type ModelDelta,
  type StreamRequest,
} from './language-model.js';

export interface FallbackOptions {
  /** Asked when the first model has sent nothing useful after `afterMs`, or fails before; null: none. */
  model: string | null;
  afterMs: number;
  /** Every model is given up when none has sent anything useful after this time. */
  limitMs: number;
  /** Calls the task once after `ms`. @returns a function that cancels it */
  setTimer: (task: () => void, ms: number) => () => void;
  /** Called with the model that answers, once it is known. */
  onAnswer?: (model: string) => void;
}

/**
 * Streams the answer of the model that is the first to send something useful: text that is not blank, or a tool call.
 * The first model continues beside the fallback until one of them wins. Ends early, without an error, when the signal
 * aborts.
 *
 * @throws LanguageModelError of the first model that failed when none answers
 */
export async function* streamWithFallback(
  model: AnsweringModel,
  request: StreamRequest,
  signal: AbortSignal,
  options: FallbackOptions,
): AsyncGenerator<ModelDelta> {
  const answers: Answer[] = [];
  const ask = (name: string): Promise<Answer> => {
    signal.throwIfAborted();
    const answer = new Answer(model, { ...request, model: name, isFallback: name !== request.model }, signal);
    answers.push(answer);
    return answer.begun;
  };
  try {
    const winner = await firstAnswer(ask, request.model, options);
    for (const answer of answers) if (answer !== winner) answer.abort();
    options.onAnswer?.(winner.model);
    yield* winner.deltas();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    for (const answer of answers) answer.abort();
  }
}

async function firstAnswer(
  ask: (model: string) => Promise<Answer>,
  first: string,
  { model, afterMs, limitMs, setTimer }: FallbackOptions,
): Promise<Answer> {
  const cancels: (() => void)[] = [];
  const after = <T>(ms: number, task: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const run = async (): Promise<T> => task();
      cancels.push(setTimer(() => run().then(resolve, reject), ms));
    });
  const tooSlow = after(limitMs, () => {
    throw new LanguageModelError('The language model is too slow', true);
  });
  try {
    const primary = ask(first);
    if (model === null || model === first) return await Promise.race([primary, tooSlow]);
    const early = await Promise.race([primary.catch(() => null), after(afterMs, () => null)]);
    if (early) return early;
    return await Promise.race([Promise.any([primary, ask(model)]), tooSlow]);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    for (const cancel of cancels) cancel();
    tooSlow.catch(() => undefined);
  }
}

/** An answer that is being received. */
class Answer {
  readonly model: string;
  /** Resolves with the first useful delta. Rejects with LanguageModelError when none came. */
  readonly begun: Promise<Answer>;
  private first: ModelDelta | null = null;
  private readonly controller = new AbortController();
  private readonly rest: AsyncIterator<ModelDelta>;

  constructor(
    model: AnsweringModel,
    request: StreamRequest,
    private readonly outer: AbortSignal,
  ) {
    this.model = request.model;
    outer.addEventListener('abort', this.abort, { once: true });
    if (outer.aborted) this.abort();
    this.rest = model.stream(request, this.controller.signal)[Symbol.asyncIterator]();
    this.begun = this.readFirst();
    // An answer that lost may fail later.
    this.begun.catch(() => undefined);
  }

  async *deltas(): AsyncGenerator<ModelDelta> {
    if (this.first) yield this.first;
    for (let next = await this.rest.next(); !next.done; next = await this.rest.next()) yield next.value;
  }

  readonly abort = (): void => {
    this.outer.removeEventListener('abort', this.abort);
    this.controller.abort();
  };

  private async readFirst(): Promise<Answer> {
    for (let next = await this.rest.next(); !next.done; next = await this.rest.next()) {
      this.first = next.value;
      if (this.first.kind === 'tool_call') return this;
      if (this.first.kind === 'text' && this.first.text.trim() !== '') return this;
      if (this.first.kind === 'stopped' && this.first.reason === 'filter') throw new FilteredAnswerError();
    }
    throw new LanguageModelError('The language model said nothing', true);
  }
}
