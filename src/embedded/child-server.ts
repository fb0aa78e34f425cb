import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { processRefOf, sendSignal, stopProcess, type StopStep } from './processes.js';

const PORT_ATTEMPTS = 3;

/** Runs `start` with a free port of 127.0.0.1, and again if another process took the port in the meantime. */
export async function startOnFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort());
    } catch (error) {
      const portTaken = error instanceof ServerExitedError && /already in use/i.test(error.logTail);
      if (!portTaken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

export interface EmbeddedServerOptions {
  /** Directory of all files of the server. Relative paths start at the working directory. */
  dataDir: string;
  /** Receives single lines without secrets. */
  log: (line: string) => void;
  /** The server ended too often and is not started any more; the message names its log. */
  onGivenUp?: (message: string) => void;
}

export interface EmbeddedServer {
  /** Carries the password. */
  url: string;
  /** Ends it in a limited time without loss of data; a second call does nothing. */
  stop(): Promise<void>;
}

export interface ServerCommand {
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  user?: { uid: number; gid: number } | undefined;
  stdin?: string;
  logFile: string;
  /** False: the file begins empty. */
  appendLog: boolean;
  stopSteps: readonly StopStep[];
}

const READY_POLL_MS = 15;
/** Time for replaying a long log after a crash; longer needs an operator. */
const READY_TIMEOUT_MS = 120_000;

/** It ended before it was ready. */
export class ServerExitedError extends Error {
  constructor(
    file: string,
    readonly logTail: string,
  ) {
    super(`${file} ended before it was ready: ${logTail || 'it wrote no reason'}`);
  }
}

/** A child process that ends with this one, but not by a Ctrl-C before this one has drained. */
export class ChildServer {
  readonly pid: number;
  private stopping: Promise<void> | null = null;
  private readonly atExit: () => void;

  private constructor(
    private readonly child: ChildProcess & { pid: number },
    private readonly command: ServerCommand,
  ) {
    this.pid = child.pid;
    // For an exit without stop(): an exit handler can still send a signal.
    this.atExit = () => sendSignal(this.pid, command.stopSteps[0]?.signal ?? 'SIGTERM');
    process.once('exit', this.atExit);
    child.once('exit', () => process.removeListener('exit', this.atExit));
  }

  static async spawn(command: ServerCommand): Promise<ChildServer> {
    // A file, not a pipe: a pipe would break under the server when this process is killed.
    const output = openSync(command.logFile, command.appendLog ? 'a' : 'w', 0o600);
    try {
      const child = spawn(command.file, command.args, {
        cwd: command.cwd,
        env: command.env,
        ...command.user,
        detached: true, // A process group of its own, which the terminal's Ctrl-C does not reach.
        stdio: [command.stdin === undefined ? 'ignore' : 'pipe', output, output],
      });
      if (child.pid === undefined) await once(child, 'spawn'); // Rejects with the reason.
      child.stdin?.on('error', () => undefined).end(command.stdin);
      child.unref();
      return new ChildServer(child as ChildProcess & { pid: number }, command);
    } finally {
      closeSync(output);
    }
  }

  async whenReady(isReady: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!(await isReady())) {
      if (this.hasExited()) throw new ServerExitedError(this.command.file, this.logTail());
      if (Date.now() > deadline) {
        await this.stop();
        throw new Error(`${this.command.file} is not ready after ${READY_TIMEOUT_MS / 1000} s.`);
      }
      await sleep(READY_POLL_MS);
    }
  }

  /** Calls back when the server ends, or has ended, without `stop`. */
  onUnexpectedExit(callback: () => void): void {
    const report = (): void => {
      if (!this.stopping) callback();
    };
    if (this.hasExited()) queueMicrotask(report);
    else this.child.once('exit', report);
  }

  stop(): Promise<void> {
    this.stopping ??= this.hasExited()
      ? Promise.resolve()
      : stopProcess(processRefOf(this.pid), this.command.stopSteps);
    return this.stopping;
  }

  private hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private logTail(): string {
    return readFileSync(this.command.logFile, 'utf8').trim().split('\n').slice(-5).join(' | ');
  }
}
