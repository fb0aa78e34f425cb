import type { AnsweringModel, ModelDelta, StreamRequest } from '../../llm/language-model.js';
import type { Clock } from './clock.js';
import type { VisitorAllowance } from './visitor-allowance.js';

/** Between the beginnings of two requests. */
const INTERVAL_MS = 500;

/**
 * A visitor's model, asked at most twice a second, and counted: a request that is not wanted any more when its turn
 * comes is not sent.
 */
export class PacedModel implements AnsweringModel {
  private nextAt = 0;

  constructor(
    private readonly model: AnsweringModel,
    private readonly clock: Clock,
    private readonly allowance: Pick<VisitorAllowance, 'asked'>,
  ) {}

  async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    while (this.nextAt > this.clock.now()) {
      await this.pause(this.nextAt - this.clock.now(), signal);
      if (signal.aborted) return;
    }
    this.nextAt = this.clock.now() + INTERVAL_MS;
    this.allowance.asked(this.clock.now());
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
