import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import {
  ChildServer,
  type EmbeddedServer,
  type EmbeddedServerOptions,
  startOnFreePort,
} from './child-server.js';
import { readOrCreateSecret, RuntimeRecord, type RunningServer } from './runtime-record.js';
import { ServerKeeper } from './server-keeper.js';
import type { StopStep } from './processes.js';

const PROGRAMS = ['redis-server', 'valkey-server'];

/** SIGTERM writes what is left to the append-only file. */
const STOP_STEPS: readonly StopStep[] = [
  { signal: 'SIGTERM', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
];

/**
 * A private Redis or Valkey from the PATH, on 127.0.0.1 at a port of its own, with an append-only file in `dataDir`
 * that is written out every second. A server that a killed process left running is stopped first, one that ends by
 * itself is started again.
 *
 * @returns null when neither program is on the PATH
 */
export async function startEmbeddedRedis(options: EmbeddedServerOptions): Promise<EmbeddedServer | null> {
  const dataDir = resolve(options.dataDir);
  const file = findOnPath(PROGRAMS);
  if (!file) return null;

  mkdirSync(join(dataDir, 'redis'), { recursive: true, mode: 0o700 });
  const record = new RuntimeRecord(dataDir, 'redis');
  await record.reclaim(STOP_STEPS, options.log);
  const password = readOrCreateSecret(join(dataDir, 'redis.password'));
  const { log, onGivenUp = log } = options;
  return startOnFreePort((port) => keepServer({ dataDir, file, password, port, record, log, onGivenUp }));
}

/** The server that a living process runs on this directory; null when there is none. */
export function findRunningRedis(dataDir: string): RunningServer | null {
  return new RuntimeRecord(dataDir, 'redis').findRunning();
}

interface ServerStart extends Required<EmbeddedServerOptions> {
  file: string;
  password: string;
  port: number;
  record: RuntimeRecord;
}

async function keepServer(parts: ServerStart): Promise<EmbeddedServer> {
  const { dataDir, password, port, record, log, onGivenUp } = parts;
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const logFile = join(dataDir, 'redis.log');
  const start = (appendLog: boolean) => startServer(url, { logFile, appendLog }, parts);
  const keeper = await ServerKeeper.start({ name: 'redis', logFile, start, log, onGivenUp });
  return {
    url,
    stop: async () => {
      await keeper.stop();
      record.remove();
    },
  };
}

async function startServer(
  url: string,
  log: { logFile: string; appendLog: boolean },
  { dataDir, file, password, port, record }: ServerStart,
): Promise<ChildServer> {
  const server = await ChildServer.spawn({
    file,
    args: ['-'],
    cwd: join(dataDir, 'redis'),
    env: process.env,
    // By standard input: everybody on the machine can read a command line.
    stdin: settings(port, password),
    ...log,
    stopSteps: STOP_STEPS,
  });
  record.write(url, server.pid, false);
  await server.whenReady(() => answersPing(port, password));
  record.write(url, server.pid, true);
  return server;
}

function settings(port: number, password: string): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    'daemonize no',
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    // A queue must not forget jobs in order to make room.
    'maxmemory-policy noeviction',
    '',
  ].join('\n');
}

/** While it reads its file, a server accepts connections but answers -LOADING. */
function answersPing(port: number, password: string): Promise<boolean> {
  return new Promise((done) => {
    let answer = '';
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('connect', () => socket.end(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('error', () => undefined); // Not listening yet: 'close' follows.
    socket.on('close', () => done(answer.includes('+PONG')));
  });
}

function findOnPath(programs: readonly string[]): string | undefined {
  const dirs = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return programs.flatMap((program) => dirs.map((dir) => join(dir, program))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
