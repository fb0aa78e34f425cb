import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import type { EmbeddedServer, EmbeddedServerOptions } from './child-server.js';
import { readOrCreateSecret, RuntimeRecord, type RunningServer } from './runtime-record.js';
import { superviseServer } from './server-supervisor.js';
import type { StopStep } from './processes.js';

const PROGRAMS = ['redis-server', 'valkey-server'];

/** At SIGTERM the server writes the rest to the append-only file. */
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
  await record.stopOrphan(STOP_STEPS, options.log);
  const password = readOrCreateSecret(join(dataDir, 'redis.password'));
  return superviseServer(
    {
      name: 'redis',
      record,
      url: (port) => `redis://:${password}@127.0.0.1:${port}`,
      command: (port) => ({
        file,
        args: ['-'],
        cwd: join(dataDir, 'redis'),
        env: process.env,
        // By standard input: every user of the machine can read a command line.
        stdin: configOf(port, password),
        stopSteps: STOP_STEPS,
      }),
      isReady: (port) => respondsToPing(port, password),
    },
    { ...options, dataDir },
  );
}

/** Its work is found in rows: nothing is lost with it. The caller holds the lock of the directory. */
export async function removeRedisData(dataDir: string, log: (line: string) => void): Promise<void> {
  await new RuntimeRecord(dataDir, 'redis').stopOrphan(STOP_STEPS, log);
  await rm(join(resolve(dataDir), 'redis'), { recursive: true, force: true });
}

/** The server that a living process runs on this directory; null when there is none. */
export function findRunningRedis(dataDir: string): RunningServer | null {
  return new RuntimeRecord(dataDir, 'redis').findRunning();
}

function configOf(port: number, password: string): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    'daemonize no',
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    // Jobs must not be evicted when memory is full.
    'maxmemory-policy noeviction',
    '',
  ].join('\n');
}

/** A server that still reads its file accepts connections and answers -LOADING. */
function respondsToPing(port: number, password: string): Promise<boolean> {
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
