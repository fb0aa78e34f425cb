import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChildServer,
  startOnFreePort,
  type EmbeddedServer,
  type EmbeddedServerOptions,
  type ServerCommand,
} from './child-server.js';
import type { RuntimeRecord } from './runtime-record.js';

export interface SupervisorOptions {
  /** In messages, e.g. `postgres`. */
  name: string;
  /** Where the server writes why it ended. */
  logFile: string;
  /** Starts it at the same port and on the same data. `again` is false for the first start. */
  start: (again: boolean) => Promise<Pick<ChildServer, 'onUnexpectedExit' | 'stop'>>;
  log: (line: string) => void;
  /** Called once, when the server ended too often and is not started any more. */
  onGivenUp: (message: string) => void;
  clock?: SupervisorClock;
}

/** Milliseconds. */
export interface SupervisorClock {
  now(): number;
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const REAL_CLOCK: SupervisorClock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** Milliseconds before each start within a minute: sessions of the ended server must notice its end first. */
const DELAYS_MS = [100, 500, 1_000, 2_000, 5_000];
const WINDOW_MS = 60_000;

/** A private server that is started again whenever it ends by itself; five times a minute, then it is given up. */
export class ServerSupervisor {
  private readonly stopped = new AbortController();
  private starts: number[] = [];
  private restarting: Promise<void> = Promise.resolve();

  private constructor(
    private readonly options: SupervisorOptions,
    private server: Awaited<ReturnType<SupervisorOptions['start']>>,
  ) {
    this.watch();
  }

  /** @throws when the first start fails: only what ran once is started again */
  static async start(options: SupervisorOptions): Promise<ServerSupervisor> {
    return new ServerSupervisor(options, await options.start(false));
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

export interface SupervisedServer {
  name: 'postgres' | 'redis';
  record: RuntimeRecord;
  /** Carries the password. */
  url: (port: number) => string;
  command: (port: number) => Omit<ServerCommand, 'logFile' | 'appendLog'>;
  isReady: (port: number, pid: number) => Promise<boolean>;
}

/** Starts a server at a free port and keeps it running there; its record has the address. */
export function superviseServer(
  { name, record, url, command, isReady }: SupervisedServer,
  { dataDir, log, onGivenUp = log }: EmbeddedServerOptions,
): Promise<EmbeddedServer> {
  const logFile = join(dataDir, `${name}.log`);
  return startOnFreePort(async (port) => {
    const start = async (appendLog: boolean): Promise<ChildServer> => {
      const server = await ChildServer.spawn({ ...command(port), logFile, appendLog });
      record.write(url(port), server.pid, false);
      await server.whenReady(() => isReady(port, server.pid));
      record.write(url(port), server.pid, true);
      return server;
    };
    const keeper = await ServerSupervisor.start({ name, logFile, start, log, onGivenUp });
    return {
      url: url(port),
      stop: async () => {
        await keeper.stop();
        record.remove();
      },
    };
  });
}
