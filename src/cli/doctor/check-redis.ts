import { spawnSync } from 'node:child_process';
import type { Settings } from '#src/config/settings.js';
import { findRunningRedis } from '#src/database/embedded/embedded-redis.js';
import { messageOf } from '../explain-error.js';
import { fail, ok, warn, type Verdict } from './finding.js';

const IN_PROCESS = 'jobs run within the service; work survives restarts, but only one process may run jobs';

export async function checkRedis(
  settings: Pick<Settings, 'redisUrl' | 'databaseUrl' | 'embeddedRedis' | 'dataDir'>,
  isRunning: boolean,
): Promise<Verdict> {
  if (settings.redisUrl !== null) return checkServer(settings.redisUrl);
  if (settings.databaseUrl !== null) {
    return warn(`none: ${IN_PROCESS}`, 'set REDIS_URL before a second process starts');
  }
  if (!settings.embeddedRedis) return ok(`switched off: ${IN_PROCESS}`);
  const running = findRunningRedis(settings.dataDir);
  if (running) return checkServer(running.url);
  if (isRunning || !isInstalled()) return ok(`none on the PATH: ${IN_PROCESS}`);
  return ok('a private one is started with the service');
}

async function checkServer(url: string): Promise<Verdict> {
  const { inspectRedis } = await import('#src/queue/inspect-redis.js');
  try {
    return judge(await inspectRedis(url));
  } catch (error) {
    const reason = messageOf(error);
    return fail(
      `nobody to work with at ${new URL(url).host} (${reason})`,
      'start Redis, or correct REDIS_URL',
    );
  }
}

function judge(told: ReadonlyMap<string, string>): Verdict {
  const what = `Redis ${told.get('redis_version') ?? 'of unknown version'} answers`;
  if (told.get('aof_enabled') === '0') {
    return warn(
      `${what}, but forgets jobs when it restarts`,
      'set appendonly yes; until then work waits for a while',
    );
  }
  const policy = told.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    return warn(`${what}, but may drop jobs to make room`, 'set maxmemory-policy noeviction');
  }
  return ok(`${what} and keeps what it is given`);
}

const isInstalled = (): boolean =>
  ['redis-server', 'valkey-server'].some((program) => spawnSync(program, ['--version']).status === 0);
