import { readFileSync, rmSync, chownSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectProcess, type ProcessRef } from './processes.js';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PostgresHome } from './postgres-home.js';

/** Lines of `postmaster.pid`, counted from 0: Postgres, src/include/utils/pidfile.h. */
const LINE_PID = 0;
const LINE_STATUS = 7;

/** The running server of this directory, started by any process; null when there is none. */
export function findPostmaster(dataPath: string): ProcessRef | null {
  const found = inspectNamed(dataPath);
  const isOurs = found?.command.includes('postgres') && found.command.includes(dataPath);
  return found && isOurs ? { pid: found.pid, startedAt: found.startedAt } : null;
}

export function isPostmasterReady(dataPath: string, pid: number): boolean {
  const lines = readLines(dataPath);
  return Number(lines[LINE_PID]) === pid && lines[LINE_STATUS]?.trim() === 'ready';
}

/**
 * After a restart of the machine or the container the process id in the file may be that of another program, and
 * Postgres refuses to start. If it might be a Postgres, the file stays: two servers on one directory destroy it.
 */
export function removeStalePidFile(dataPath: string): void {
  if (inspectNamed(dataPath)?.command.includes('postgres')) return;
  rmSync(join(dataPath, 'postmaster.pid'), { force: true });
}

function inspectNamed(dataPath: string): ReturnType<typeof inspectProcess> {
  const pid = Number(readLines(dataPath)[LINE_PID]);
  return Number.isInteger(pid) && pid > 0 ? inspectProcess(pid) : null;
}

function readLines(dataPath: string): string[] {
  try {
    return readFileSync(join(dataPath, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const execFileAsync = promisify(execFile);

/** Without PG* variables of this process, which would change the server's settings. */
export const POSTGRES_ENV: NodeJS.ProcessEnv = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };

/** The administrator of the cluster, and the database that every cluster has. */
export const POSTGRES_USER = 'postgres';
export const POSTGRES_DATABASE = 'postgres';

export function clusterExists(dataPath: string): boolean {
  return existsSync(join(dataPath, 'PG_VERSION'));
}

/** Created beside its path and moved there when complete: a crash leaves no incomplete cluster. */
export async function initCluster(home: PostgresHome, password: string): Promise<void> {
  const half = `${home.dataPath}.new`;
  const passwordFile = `${home.dataPath}.pwfile`;
  for (const path of [half, passwordFile]) rmSync(path, { recursive: true, force: true });
  try {
    mkdirSync(half, { mode: 0o700 });
    writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
    if (home.user) for (const path of [half, passwordFile]) chownSync(path, home.user.uid, home.user.gid);
    await execFileAsync(join(home.binDir, 'initdb'), initFlags(half, passwordFile), {
      ...home.user,
      cwd: half,
      env: POSTGRES_ENV,
    });
    renameSync(half, home.dataPath);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** The built-in locale sorts alike on every system; some have no C.UTF-8 of their own. */
function initFlags(dataPath: string, passwordFile: string): string[] {
  return [
    `--pgdata=${dataPath}`,
    `--username=${POSTGRES_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
}
