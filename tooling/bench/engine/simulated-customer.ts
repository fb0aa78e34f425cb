import type { CallSession, CallSessionEvent } from '#src/modules/telephony/call-session.js';
import { ANSWER } from './scripted-model.js';
import type { TurnWatch } from './waits.js';

/** A call session with a customer who waits for the end of each response, then asks the next question. */
export class SimulatedCustomer implements CallSession {
  readonly openedAt = Date.now();
  private listener: (event: CallSessionEvent) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private answering = false;

  /** @param thinkMs time until the next question, evaluated for each one */
  constructor(
    private readonly watch: TurnWatch,
    private readonly thinkMs: () => number,
  ) {}

  say(_token: string, last: boolean): void {
    if (!this.answering) this.watch.firstFrame();
    this.answering = !last;
    if (!last) return;
    // Reports the response as played immediately, so that speech is not part of the measurement.
    setImmediate(() => this.listener({ kind: 'played', text: ANSWER }));
    this.askLater();
  }

  sendDigits(): void {}

  switchLanguage(): void {}

  end(): void {
    this.hangUp();
  }

  onEvent(listener: (event: CallSessionEvent) => void): void {
    this.listener = listener;
    this.askLater();
  }

  hangUp(): void {
    clearTimeout(this.timer);
    this.listener({ kind: 'closed' });
  }

  private askLater(): void {
    const thinkMs = Math.round(this.thinkMs());
    const due = performance.now() + thinkMs;
    this.timer = setTimeout(() => {
      this.watch.prompted(due);
      this.listener({ kind: 'utterance', text: 'When can I collect my bicycle?', final: true });
    }, thinkMs);
  }
}
