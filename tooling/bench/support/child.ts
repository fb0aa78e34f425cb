import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#src/embedded/free-port.js';

/** A server of this project in its own process. */
export interface Child {
  url: string;
  pid: number;
  /** Time from spawn to the first 200. */
  startMs: number;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 5;

/** Runs `node <args>` on a free port and waits until the path `ready` answers 200. */
export async function startChild(
  args: readonly string[],
  env: Record<string, string>,
  ready = '/health/ready',
): Promise<Child> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { PATH = '', HOME = '' } = process.env;
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, PORT: String(port), ...env },
    // To standard error: standard output is for the findings.
    stdio: ['ignore', process.stderr, process.stderr],
  });
  const exited = once(child, 'exit');
  // Also when this process exits early.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  void exited.then(() => process.removeListener('exit', kill));
  while (!(await isReady(url + ready))) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    if (performance.now() - started > READY_TIMEOUT_MS) throw new Error(`${args.join(' ')} is not ready`);
    await sleep(READY_POLL_MS);
  }
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - started,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status === 200;
}
