import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorCode, toErrorMessage, formatQuantity } from '../output.js';
import { fail, ok, warn, type CheckResult } from './finding.js';
import type { Settings } from '#src/config/settings.js';
import { MIGRATIONS } from '#src/database/migrations/index.js';
import { withDatabase, DatabaseUnusableError, withDatabaseClient } from '../operator/database.js';
import { spawnSync } from 'node:child_process';
import { findRunningRedis } from '#src/embedded/embedded-redis.js';

const MIB = 2 ** 20;
const WARN_BELOW_MIB = 1024;
const FAIL_BELOW_MIB = 100;

export async function checkDataDir(dataDir: string): Promise<CheckResult> {
  const probe = join(dataDir, `.doctor-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    return fail(
      `${dataDir} cannot be written (${toErrorCode(error)})`,
      'give its owner the right to write, or set DATA_DIR',
    );
  }
  const { bavail, bsize } = await statfs(dataDir);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  const what = `${dataDir} can be written, ${freeMib} MiB free`;
  if (freeMib < FAIL_BELOW_MIB) return fail(what, 'free disk space: a full disk stops the database');
  return freeMib < WARN_BELOW_MIB ? warn(what, 'free disk space') : ok(what);
}

interface DatabaseState {
  version: string;
  pending: number;
  /** Assistants whose sensitivities are not the default. */
  sensitive: number;
}

/** Starts the private database for the check when it does not run. */
export async function checkDatabase(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir'>,
): Promise<CheckResult> {
  const kind = settings.databaseUrl === null ? 'private ' : '';
  try {
    const { version, pending, sensitive } = await withDatabase(settings, ({ url }) => readState(url));
    const what = `${kind}PostgreSQL ${version} answers`;
    if (pending === 0) return ok(`${what}, no migration is pending${sensitivities(sensitive)}`);
    const todo = 'the next start applies them, or now: npm run cli -- migrate';
    return warn(`${what}, ${formatQuantity(pending, 'migration')} pending`, todo);
  } catch (error) {
    if (error instanceof DatabaseUnusableError) return fail(error.problem, error.advice);
    return fail(toErrorMessage(error), 'remove the cause, or set DATABASE_URL to your own database');
  }
}

/** Their direction was the opposite before they were documented. */
const sensitivities = (count: number): string =>
  count === 0
    ? ''
    : `; sensitivities stored today (${formatQuantity(count, 'assistant')}) keep their number and get the documented ` +
      'meaning: seconds, see docs/use/assistant-settings.md';

const SENSITIVE = `
  SELECT count(*)::int AS count FROM assistants
  WHERE deleted_at IS NULL AND (endpoint_sensitivity <> 0.5 OR interrupt_sensitivity <> 0.5)`;

function readState(url: string): Promise<DatabaseState> {
  return withDatabaseClient(url, async (client) => {
    const { rows } = await client.query<{ version: string; found: boolean; has_assistants: boolean }>(
      `SELECT current_setting('server_version') AS version, to_regclass('migrations') IS NOT NULL AS found,
         to_regclass('assistants') IS NOT NULL AS has_assistants`,
    );
    const applied = rows[0]?.found
      ? await client.query<{ name: string }>('SELECT name FROM migrations')
      : null;
    const sensitive = rows[0]?.has_assistants ? await client.query<{ count: number }>(SENSITIVE) : null;
    const names = new Set(applied?.rows.map(({ name }) => name));
    return {
      version: rows[0]?.version ?? '',
      pending: MIGRATIONS.filter((migration) => !names.has(migration.name)).length,
      sensitive: sensitive?.rows[0]?.count ?? 0,
    };
  });
}

const IN_PROCESS = 'jobs run within the service; work survives restarts, but only one process may run jobs';

export async function checkRedis(
  settings: Pick<Settings, 'redisUrl' | 'databaseUrl' | 'embeddedRedis' | 'dataDir'>,
  isRunning: boolean,
): Promise<CheckResult> {
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

async function checkServer(url: string): Promise<CheckResult> {
  const { inspectRedis } = await import('#src/queue/redis-options.js');
  try {
    return checkRedisSettings(await inspectRedis(url));
  } catch (error) {
    const reason = toErrorMessage(error);
    return fail(`cannot be used at ${new URL(url).host} (${reason})`, 'start Redis, or correct REDIS_URL');
  }
}

function checkRedisSettings(info: ReadonlyMap<string, string>): CheckResult {
  const what = `Redis ${info.get('redis_version') ?? 'of unknown version'} answers`;
  if (info.get('aof_enabled') === '0') {
    return warn(
      `${what}, but loses jobs when it restarts`,
      'set appendonly yes; without it work is delayed after a restart',
    );
  }
  const policy = info.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    return warn(`${what}, but may evict jobs`, 'set maxmemory-policy noeviction');
  }
  return ok(`${what} and is persistent`);
}

const isInstalled = (): boolean =>
  ['redis-server', 'valkey-server'].some((program) => spawnSync(program, ['--version']).status === 0);
