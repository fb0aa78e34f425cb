import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildServer } from './child-server.js';

export interface KeeperOptions {
  /** As it is called in messages, e.g. `postgres`. */
  name: string;
  /** Where the server writes why it ended. */
  logFile: string;
  /** Starts it at the same port and on the same data; `again`: not for the first time. */
  start: (again: boolean) => Promise<Pick<ChildServer, 'onUnexpectedExit' | 'stop'>>;
  log: (line: string) => void;
  /** Called once, when the server ends again and again and is left alone. */
  onGivenUp: (message: string) => void;
  clock?: KeeperClock;
}

/** Milliseconds. */
export interface KeeperClock {
  now(): number;
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const REAL_CLOCK: KeeperClock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** Milliseconds before each start within a minute. Sessions of the dead server need a moment to notice. */
const DELAYS_MS = [100, 500, 1_000, 2_000, 5_000];
const WINDOW_MS = 60_000;

/** A private server that is started again whenever it ends by itself; five times a minute, then it is given up. */
export class ServerKeeper {
  private readonly stopped = new AbortController();
  private starts: number[] = [];
  private restarting: Promise<void> = Promise.resolve();

  private constructor(
    private readonly options: KeeperOptions,
    private server: Awaited<ReturnType<KeeperOptions['start']>>,
  ) {
    this.watch();
  }

  /** @throws when the first start fails: only what ran once is started again */
  static async start(options: KeeperOptions): Promise<ServerKeeper> {
    return new ServerKeeper(options, await options.start(false));
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.restarting;
    await this.server.stop();
  }

  private watch(): void {
    this.server.onUnexpectedExit(() => {
      this.restarting = this.restart();
    });
  }

  private async restart(): Promise<void> {
    const { name, logFile, start, log, onGivenUp, clock = REAL_CLOCK } = this.options;
    let reason = `see ${logFile}`;
    while (!this.stopped.signal.aborted) {
      const now = clock.now();
      this.starts = this.starts.filter((at) => now - at < WINDOW_MS);
      const delay = DELAYS_MS[this.starts.length];
      if (delay === undefined) {
        onGivenUp(
          `The private ${name} ended ${this.starts.length + 1} times within a minute and is given up: ${reason}`,
        );
        return;
      }
      this.starts.push(now);
      log(`the private ${name} ended by itself and is started again: ${reason}`);
      try {
        await clock.sleep(delay, this.stopped.signal);
        this.server = await start(true);
        log(`the private ${name} is back`);
        return this.watch();
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
    }
  }
}
