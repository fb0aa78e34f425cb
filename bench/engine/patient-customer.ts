import type { CallSession, CallSessionEvent } from '#src/modules/telephony/call-session.js';
import { ANSWER } from './scripted-model.js';
import type { TurnWatch } from './waits.js';

/** A line to somebody who listens to the end, thinks for a while and asks again, until the call is over. */
export class PatientCustomer implements CallSession {
  private listener: (event: CallSessionEvent) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private answering = false;

  /** @param thinkMs how long until the next question; drawn anew each time */
  constructor(
    private readonly watch: TurnWatch,
    private readonly thinkMs: () => number,
  ) {}

  say(_token: string, last: boolean): void {
    if (!this.answering) this.watch.firstFrame();
    this.answering = !last;
    if (!last) return;
    // The line tells what was heard, as soon as everything was said: waiting for a voice measures nothing.
    setImmediate(() => this.listener({ kind: 'played', text: ANSWER }));
    this.askLater();
  }

  sendDigits(): void {}

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
