import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresHome } from './postgres-home.js';

const execFileAsync = promisify(execFile);

/** Without the PG* variables of whoever starts us: they would change what the server does. */
export const POSTGRES_ENV: NodeJS.ProcessEnv = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };

/** The administrator of the cluster, and the database that every cluster has. */
export const POSTGRES_USER = 'postgres';
export const POSTGRES_DATABASE = 'postgres';

export function clusterExists(dataPath: string): boolean {
  return existsSync(join(dataPath, 'PG_VERSION'));
}

/** Made beside its place and moved there when complete: a crash in the middle leaves nothing half-done behind. */
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

/** The built-in locale sorts alike everywhere; the C.UTF-8 of the system is missing on some. */
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
