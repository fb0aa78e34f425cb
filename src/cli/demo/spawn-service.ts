import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readDemoFile, type DemoFile } from '../demo-file.js';
import { isServiceAt } from '../doctor/is-service-at.js';
import { DemoFailed } from './demo-failed.js';
import type { DemoService } from './demo-service.js';

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));
const START_TIMEOUT_MS = 40_000;
const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 50;
const OUTPUT_SHOWN = 4_000;

const ADVICE =
  'npm run cli -- doctor says more. DEMO_BASE_URL and DEMO_TOKEN name a service that runs already.';

/**
 * In a hurry, on the sandbox, with a database and a port of its own: whatever else runs on this machine, and whatever
 * database the environment names, is left alone.
 */
export const OWN_SETTINGS = {
  NODE_ENV: '',
  ROLE: 'all',
  HOST: '127.0.0.1',
  PUBLIC_URL: '',
  DATABASE_URL: '',
  REDIS_URL: '',
  TWILIO_ACCOUNT_SID: '',
  TWILIO_AUTH_TOKEN: '',
  TWILIO_API_URL: '',
  LLM_API_KEY: '',
  LLM_BASE_URL: '',
  SANDBOX_SPEED: '4',
  RING_TIMEOUT_SECONDS: '6',
  LOG_LEVEL: 'info',
};

/** Starts the built service and waits until it is ready. @throws DemoFailed with what the service wrote */
export async function spawnService(dataDir: string, env: NodeJS.ProcessEnv): Promise<DemoService> {
  const port = await freePort();
  mkdirSync(dataDir, { recursive: true });
  const logFile = join(dataDir, 'demo-service.log');
  // A file, not a pipe: a pipe would break under the service while it drains after the end of this process.
  const log = openSync(logFile, 'w', 0o600);
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  process.once('exit', () => child.kill('SIGTERM'));
  try {
    const { base_url: baseUrl, accounts } = await whenReady(child, port, dataDir);
    const queue = /"msg":"Queue: (.+?)"/.exec(readFileSync(logFile, 'utf8'))?.[1];
    const origin = `a service of our own; queue: ${queue ?? 'unknown'}`;
    return { baseUrl, token: accounts[0]?.token ?? '', origin, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    if (!(error instanceof DemoFailed)) throw error;
    const output = readFileSync(logFile, 'utf8').slice(-OUTPUT_SHOWN);
    throw new DemoFailed(`${error.message}\n${output}${ADVICE}`);
  }
}

/** The service writes the file when it listens. */
async function whenReady(child: ChildProcess, port: number, dataDir: string): Promise<DemoFile> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new DemoFailed('The service did not start:');
    const demo = readDemoFile(dataDir);
    const isOurs = demo !== null && new URL(demo.base_url).port === String(port);
    if (isOurs && (await isServiceAt(new URL(demo.base_url).origin))) return demo;
    await sleep(POLL_MS);
  }
  throw new DemoFailed(`The service was not ready after ${START_TIMEOUT_MS / 1000} s:`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
