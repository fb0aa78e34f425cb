import type { CallSessionEvent } from './call-session.js';

/** Passes the events of a session to its listener; those before its registration wait for it. */
export class SessionEvents {
  private listener: ((event: CallSessionEvent) => void) | null = null;
  private readonly early: CallSessionEvent[] = [];

  emit(event: CallSessionEvent): void {
    if (this.listener) this.listener(event);
    else this.early.push(event);
  }

  setListener(listener: (event: CallSessionEvent) => void): void {
    this.listener = listener;
    for (const event of this.early.splice(0)) listener(event);
  }
}
