import { loadSettings } from '#src/config/settings.js';
import { freePort } from '#src/embedded/free-port.js';
import { isServiceAt } from '../doctor/check-network.js';
import { consoleLink, readDemoFile, type DemoFile } from '../demo-accounts.js';
import { DemoError } from './api.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface DemoService {
  /** Includes the API prefix. */
  baseUrl: string;
  token: string;
  /** How it was found; printed. */
  origin: string;
  /** Where a person talks to the demo assistant in a browser; null: nowhere. */
  talkUrl: string | null;
  /** Opens the console signed in; null: not known, or there is none. */
  consoleUrl: string | null;
  /** When a service that the demo started ends; null: the demo did not start it. */
  ended: Promise<unknown> | null;
  /** Stops the service if the demo started it. */
  stop(): Promise<void>;
}

/** The service of `DEMO_BASE_URL`, else the one that runs on `DATA_DIR`, else a new one. */
export async function findService(env: NodeJS.ProcessEnv): Promise<DemoService> {
  if (env.DEMO_BASE_URL) return serviceAt(env.DEMO_BASE_URL, env.DEMO_TOKEN);
  const ownEnv = { ...env, ...DEMO_SERVICE_SETTINGS };
  const { dataDir } = loadSettings(ownEnv);
  const demo = readDemoFile(dataDir);
  if (demo?.accounts[0] && (await isServiceAt(new URL(demo.base_url).origin))) {
    const { token } = demo.accounts[0];
    if (await acceptsToken(demo.base_url, token)) {
      return { ...linksOf(demo), baseUrl: demo.base_url, token, origin: 'the running service', ...RUNNING };
    }
  }
  return spawnService(dataDir, ownEnv);
}

async function serviceAt(url: string, token: string | undefined): Promise<DemoService> {
  if (!token)
    throw new DemoError('DEMO_BASE_URL needs DEMO_TOKEN: npm run cli -- tokens create --email <address>');
  const baseUrl = url.replace(/\/+$/, '');
  if (!(await acceptsToken(baseUrl, token))) {
    throw new DemoError(
      `${baseUrl}/user/me refuses the token: correct DEMO_BASE_URL (with /api) and DEMO_TOKEN.`,
    );
  }
  return { baseUrl, token, origin: 'DEMO_BASE_URL', talkUrl: null, consoleUrl: null, ...RUNNING };
}

async function acceptsToken(baseUrl: string, token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
  return fetch(`${baseUrl}/user/me`, { headers, signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The demo leaves it as it is. */
const RUNNING = { ended: null, stop: async (): Promise<void> => undefined };

const linksOf = (demo: DemoFile): Pick<DemoService, 'talkUrl' | 'consoleUrl'> => ({
  talkUrl: demo.accounts[0]?.talk_url ?? null,
  consoleUrl: consoleLink(demo),
});

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));
const START_TIMEOUT_MS = 40_000;
const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 50;
const OUTPUT_SHOWN = 4_000;

const ADVICE =
  'npm run cli -- doctor shows the cause. To use a running service set DEMO_BASE_URL and DEMO_TOKEN.';

/**
 * A service on the sandbox at four times real time, with a private database and a free port, independent of the
 * environment's settings.
 */
export const DEMO_SERVICE_SETTINGS = {
  NODE_ENV: '',
  ROLE: 'all',
  HOST: '127.0.0.1',
  PUBLIC_URL: '',
  DATABASE_URL: '',
  REDIS_URL: '',
  ENCRYPTION_KEYS: '',
  TWILIO_ACCOUNT_SID: '',
  TWILIO_AUTH_TOKEN: '',
  TWILIO_API_URL: '',
  LLM_API_KEY: '',
  LLM_BASE_URL: '',
  SANDBOX_SPEED: '16',
  RING_TIMEOUT_SECONDS: '6',
  LOG_LEVEL: 'info',
};

/** Starts the built service and waits until it is ready. @throws DemoFailed with the end of its log */
async function spawnService(dataDir: string, env: NodeJS.ProcessEnv): Promise<DemoService> {
  const port = await freePort();
  mkdirSync(dataDir, { recursive: true });
  const logFile = join(dataDir, 'demo-service.log');
  // A file, not a pipe: the service still writes while it drains after the end of this process.
  const log = openSync(logFile, 'w', 0o600);
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = once(child, 'exit');
  process.once('exit', () => child.kill('SIGTERM'));
  try {
    const demo = await whenReady(child, port, dataDir);
    const queue = /"message":"Queue: (.+?)"/.exec(readFileSync(logFile, 'utf8'))?.[1];
    const origin = `started for the demo; queue: ${queue ?? 'unknown'}`;
    const [baseUrl, token] = [demo.base_url, demo.accounts[0]?.token ?? ''];
    return { ...linksOf(demo), baseUrl, token, origin, ended, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    if (!(error instanceof DemoError)) throw error;
    const output = readFileSync(logFile, 'utf8').slice(-OUTPUT_SHOWN);
    throw new DemoError(`${error.message}\n${output}${ADVICE}`);
  }
}

/** The service writes demo.json shortly before it listens. */
async function whenReady(child: ChildProcess, port: number, dataDir: string): Promise<DemoFile> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new DemoError('The service did not start:');
    const demo = readDemoFile(dataDir);
    const isNew = demo !== null && new URL(demo.base_url).port === String(port);
    if (isNew && (await isServiceAt(new URL(demo.base_url).origin))) return demo;
    await sleep(POLL_MS);
  }
  throw new DemoError(`The service was not ready after ${START_TIMEOUT_MS / 1000} s:`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}
