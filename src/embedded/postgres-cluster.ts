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
/** Statements carry the password, and must not be logged. */
const SINGLE_FLAGS = ['exit_on_error=on', 'timezone=UTC', 'log_min_error_statement=panic'].flatMap(
  (value) => ['-c', value],
);
const MAX_SERVER_OUTPUT = 16 * 1024 * 1024;

/** Without PG* variables of this process, which would change the server's settings. */
export const POSTGRES_ENV: NodeJS.ProcessEnv = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };

/** The administrator of the cluster, and the database that every cluster has. */
export const POSTGRES_USER = 'postgres';
export const POSTGRES_DATABASE = 'postgres';

export function clusterExists(dataPath: string): boolean {
  return existsSync(join(dataPath, 'PG_VERSION'));
}

/** A restored cluster that has not taken its place yet. */
export const restoredPathOf = (dataPath: string): string => `${dataPath}.restored`;

/**
 * A restored cluster takes the place of the one before, which is kept beside it. Between the two renamings there is
 * none: `finishRestore`, at every start, makes up for the second.
 *
 * @returns where the one before is; null: there was none
 */
export function replaceCluster(dataPath: string): string | null {
  const aside = `${dataPath}.replaced-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  const isReplacing = existsSync(dataPath);
  if (isReplacing) renameSync(dataPath, aside);
  finishRestore(dataPath);
  return isReplacing ? aside : null;
}

export function finishRestore(dataPath: string): void {
  if (!existsSync(dataPath) && clusterExists(restoredPathOf(dataPath)))
    renameSync(restoredPathOf(dataPath), dataPath);
}

/**
 * Runs statements on a cluster that no server runs on, without a password: one in each line.
 *
 * @throws Error: one failed; the log of the server has the reason
 */
export async function runStatements(
  { dataPath, binDir, user }: PostgresHome,
  statements: readonly string[],
): Promise<void> {
  const server = execFileAsync(
    join(binDir, 'postgres'),
    ['--single', '-D', dataPath, ...SINGLE_FLAGS, POSTGRES_DATABASE],
    { ...user, cwd: dataPath, env: POSTGRES_ENV, maxBuffer: MAX_SERVER_OUTPUT },
  );
  server.child.stdin?.end(statements.map((statement) => `${statement}\n`).join(''));
  await server;
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
