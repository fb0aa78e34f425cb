import { setTimeout } from 'node:timers/promises';

/** Waits; tests replace it. */
export abstract class Pause {
  abstract wait(ms: number): Promise<void>;
}

export class TimerPause extends Pause {
  override wait(ms: number): Promise<void> {
    return setTimeout(ms);
  }
}

/** Milliseconds between two requests to a host. */
export const HOST_PAUSE_MS = 250;

/** One request at a time per host, with a pause after each, whichever accounts read it. */
export class HostTurns {
  private readonly last = new Map<string, Promise<void>>();

  constructor(private readonly pause: Pause) {}

  async take<T>(host: string, request: () => Promise<T>): Promise<T> {
    const before = this.last.get(host) ?? Promise.resolve();
    const done = before.then(request);
    const turn = done.then(
      () => this.pause.wait(HOST_PAUSE_MS),
      () => this.pause.wait(HOST_PAUSE_MS),
    );
    this.last.set(host, turn);
    void turn.then(() => {
      if (this.last.get(host) === turn) this.last.delete(host);
    });
    return done;
  }
}
