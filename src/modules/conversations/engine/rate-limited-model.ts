import type { StreamingModel, ModelDelta, StreamRequest } from '../../llm/language-model.js';
import type { Clock } from './clock.js';
import type { VisitorInputLimit } from './visitor-input-limit.js';

/** Between the beginnings of two requests. */
const INTERVAL_MS = 500;

/**
 * A visitor's model with at most two requests a second, which are counted; requests aborted while they wait are not
 * sent.
 */
export class RateLimitedModel implements StreamingModel {
  private nextAt = 0;

  constructor(
    private readonly model: StreamingModel,
    private readonly clock: Clock,
    private readonly allowance: Pick<VisitorInputLimit, 'countRequest'>,
  ) {}

  async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    while (this.nextAt > this.clock.now()) {
      await this.pause(this.nextAt - this.clock.now(), signal);
      if (signal.aborted) return;
    }
    this.nextAt = this.clock.now() + INTERVAL_MS;
    this.allowance.countRequest(this.clock.now());
    yield* this.model.stream(request, signal);
  }

  private pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.clock.setTimeout(done, ms);
      signal.addEventListener('abort', done);
    });
  }
}
