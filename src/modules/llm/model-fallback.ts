import {
  type StreamingModel,
  ContentFilterError,
  LanguageModelError,
  type ModelDelta,
  type StreamRequest,
} from './language-model.js';

export interface FallbackOptions {
  /** Requested when the first model has sent nothing useful after `afterMs`, or fails before; null: none. */
  model: string | null;
  afterMs: number;
  /** Timeout of all models for the first useful delta. */
  timeoutMs: number;
  /** Calls the task once after `ms`. @returns a function that cancels it */
  setTimer: (task: () => void, ms: number) => () => void;
  /** Called with the model of the response, once it is known. */
  onResponse?: (model: string) => void;
}

/**
 * Streams the response of the first model to send a useful delta: text that is not blank, or a tool call. The first
 * model continues beside the fallback until one of them wins. Ends early, without an error, when the signal
 * aborts.
 *
 * @throws LanguageModelError of the first failed model when all fail
 */
export async function* streamWithFallback(
  model: StreamingModel,
  request: StreamRequest,
  signal: AbortSignal,
  options: FallbackOptions,
): AsyncGenerator<ModelDelta> {
  const responses: PendingResponse[] = [];
  const startRequest = (name: string): Promise<PendingResponse> => {
    signal.throwIfAborted();
    const response = new PendingResponse(
      model,
      { ...request, model: name, isFallback: request.isFallback || name !== request.model },
      signal,
    );
    responses.push(response);
    return response.started;
  };
  try {
    const winner = await awaitFirstResponse(startRequest, request.model, options);
    for (const response of responses) if (response !== winner) response.abort();
    options.onResponse?.(winner.model);
    yield* winner.deltas();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    for (const response of responses) response.abort();
  }
}

async function awaitFirstResponse(
  startRequest: (model: string) => Promise<PendingResponse>,
  first: string,
  { model, afterMs, timeoutMs, setTimer }: FallbackOptions,
): Promise<PendingResponse> {
  const cancels: (() => void)[] = [];
  const after = <T>(ms: number, task: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const run = async (): Promise<T> => task();
      cancels.push(setTimer(() => run().then(resolve, reject), ms));
    });
  const timeout = after(timeoutMs, () => {
    throw new LanguageModelError('The language model is too slow', true);
  });
  try {
    const primary = startRequest(first);
    if (model === null || model === first) return await Promise.race([primary, timeout]);
    const primaryResponse = await Promise.race([primary.catch(() => null), after(afterMs, () => null)]);
    if (primaryResponse) return primaryResponse;
    return await Promise.race([Promise.any([primary, startRequest(model)]), timeout]);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    for (const cancel of cancels) cancel();
    timeout.catch(() => undefined);
  }
}

/** A response that is being received. */
class PendingResponse {
  readonly model: string;
  /** Resolves with the first useful delta. Rejects with LanguageModelError when none came. */
  readonly started: Promise<PendingResponse>;
  private first: ModelDelta | null = null;
  private readonly controller = new AbortController();
  private readonly remaining: AsyncIterator<ModelDelta>;

  constructor(
    model: StreamingModel,
    request: StreamRequest,
    private readonly callerSignal: AbortSignal,
  ) {
    this.model = request.model;
    callerSignal.addEventListener('abort', this.abort, { once: true });
    if (callerSignal.aborted) this.abort();
    this.remaining = model.stream(request, this.controller.signal)[Symbol.asyncIterator]();
    this.started = this.readFirst();
    // A discarded response may fail later.
    this.started.catch(() => undefined);
  }

  async *deltas(): AsyncGenerator<ModelDelta> {
    if (this.first) yield this.first;
    for (let next = await this.remaining.next(); !next.done; next = await this.remaining.next())
      yield next.value;
  }

  readonly abort = (): void => {
    this.callerSignal.removeEventListener('abort', this.abort);
    this.controller.abort();
  };

  private async readFirst(): Promise<PendingResponse> {
    for (let next = await this.remaining.next(); !next.done; next = await this.remaining.next()) {
      this.first = next.value;
      if (this.first.kind === 'tool_call') return this;
      if (this.first.kind === 'text' && this.first.text.trim() !== '') return this;
      if (this.first.kind === 'stopped' && this.first.reason === 'filter') throw new ContentFilterError();
    }
    throw new LanguageModelError('The language model said nothing', true);
  }
}
