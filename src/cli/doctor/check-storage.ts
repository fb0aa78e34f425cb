import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, messageOf, counted } from '../output.js';
import { fail, ok, warn, type Verdict } from './finding.js';
import type { Settings } from '#src/config/settings.types.js';
import { MIGRATIONS } from '#src/database/migrations/index.js';
import { withDatabase, DatabaseUnusable, onDatabase } from '../operator/database.js';
import { spawnSync } from 'node:child_process';
import { findRunningRedis } from '#src/embedded/embedded-redis.js';

const MIB = 2 ** 20;
const LITTLE_MIB = 1024;
const TOO_LITTLE_MIB = 100;

export async function checkDataDir(dataDir: string): Promise<Verdict> {
  const probe = join(dataDir, `.doctor-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    return fail(
      `${dataDir} cannot be written (${codeOf(error)})`,
      'give its owner the right to write, or set DATA_DIR',
    );
  }
  const { bavail, bsize } = await statfs(dataDir);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  const what = `${dataDir} can be written, ${freeMib} MiB free`;
  if (freeMib < TOO_LITTLE_MIB) return fail(what, 'make room: a full disk stops the database');
  return freeMib < LITTLE_MIB ? warn(what, 'make room soon') : ok(what);
}

interface State {
  version: string;
  pending: number;
}

/** The private database is started for the look, as a start of the service would. */
export async function checkDatabase(settings: Pick<Settings, 'databaseUrl' | 'dataDir'>): Promise<Verdict> {
  const kind = settings.databaseUrl === null ? 'private ' : '';
  try {
    const { version, pending } = await withDatabase(settings, ({ url }) => look(url));
    const what = `${kind}PostgreSQL ${version} answers`;
    if (pending === 0) return ok(`${what}, no migration is pending`);
    const todo = 'the next start applies them, or now: npm run cli -- migrate';
    return warn(`${what}, ${counted(pending, 'migration')} pending`, todo);
  } catch (error) {
    if (error instanceof DatabaseUnusable) return fail(error.problem, error.advice);
    return fail(messageOf(error), 'remove the reason, or set DATABASE_URL to a database of your own');
  }
}

function look(url: string): Promise<State> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query<{ version: string; found: boolean }>(
      `SELECT current_setting('server_version') AS version, to_regclass('migrations') IS NOT NULL AS found`,
    );
    const applied = rows[0]?.found
      ? await client.query<{ name: string }>('SELECT name FROM migrations')
      : null;
    const names = new Set(applied?.rows.map(({ name }) => name));
    return {
      version: rows[0]?.version ?? '',
      pending: MIGRATIONS.filter((migration) => !names.has(migration.name)).length,
    };
  });
}

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
  const { inspectRedis } = await import('#src/queue/redis-options.js');
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
