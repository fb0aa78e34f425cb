import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#src/embedded/free-port.js';

/** A server of this project in its own process. */
export interface ServiceProcess {
  url: string;
  process: ChildProcess;
  pid: number;
  /** Time from spawn to ready. */
  startMs: number;
  /** All output of the process. */
  output(): string;
  /** Resolves with the exit code; null after a kill by a signal. */
  exited: Promise<number | null>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

interface ServerOptions {
  env: Record<string, string>;
  /** Name of the variable with the port; a free port is used where `env` has none. */
  portName?: string;
  /** A path that responds with 200, or a text in the server's output. */
  ready?: string | RegExp;
  /** Copies the server's output to standard error: standard output is for findings. */
  echo?: boolean;
}

export const SERVICE = 'dist/src/main.js';

/** Of Node, like those of `npm start` and the Dockerfile. */
const AS_IN_PRODUCTION = ['--v8-pool-size=0'];

const START_TIMEOUT_MS = 300_000;
const READY_POLL_MS = 5;

/**
 * For further services beside the shared one: their responses are validated against its document, and rendering a
 * separate document takes a tenth of the CPU time of a start.
 */
export const WITHOUT_DOCS = { DOCS_ENABLED: 'false' };

/** Of services that share a database, or get another data directory beside it. */
export const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 'a key of the tests').toString('base64')}`;

/** Models of tests, without an end date. */
const CATALOGUE_FILE = join('test', 'support', 'catalogue.yaml');

/** Starts the built service as in production, and waits until it reports that it is ready. */
export const startService = (env: Record<string, string>): Promise<ServiceProcess> =>
  startServer([SERVICE], { env: { DRAIN_SECONDS: '0', CATALOGUE_FILE, ...env }, ready: /Ready: / });

/** Runs `node <args>` until it is ready. It ends with this process. */
export async function startServer(
  args: readonly string[],
  { env, portName = 'PORT', ready = '/health/ready', echo = false }: ServerOptions,
): Promise<ServiceProcess> {
  const port = env[portName] ?? String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(process.execPath, [...AS_IN_PRODUCTION, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...(env.DATABASE_URL && { ENCRYPTION_KEYS }),
      ...env,
      [portName]: port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (echo) process.stderr.write(chunk);
    });
  // Not `exit`: the last output may still be unread then.
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  void exited.then(() => process.removeListener('exit', kill));
  const isReady = (): boolean | Promise<boolean> =>
    typeof ready === 'string' ? answers(url + ready) : ready.test(output);
  while (!(await isReady())) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || performance.now() - started > START_TIMEOUT_MS) {
      // A slow process must not keep the port.
      kill();
      await exited;
      const end = hasEnded ? `ended with ${child.exitCode ?? child.signalCode}` : 'is not ready in time';
      throw new Error(`${args.join(' ')} ${end}:\n${output}`);
    }
    await sleep(READY_POLL_MS);
  }
  return {
    url,
    process: child,
    pid: child.pid ?? 0,
    startMs: performance.now() - started,
    output: () => output,
    exited,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
    kill: async () => {
      kill();
      await exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status === 200;
}
