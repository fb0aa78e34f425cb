import { existsSync } from 'node:fs';
import { chown, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readBackupFile, type BackupContent } from './backup-file.js';
import { openHome, passwordFileOf } from './embedded-postgres.js';
import { removeRedisData } from './embedded-redis.js';
import { POSTGRES_USER, replaceCluster, restoredPathOf, runStatements } from './postgres-cluster.js';
import type { ServerUser } from './postgres-home.js';
import { readOrCreateSecret } from './runtime-record.js';

export interface RestoreOptions {
  /** A checked backup. */
  file: string;
  dataDir: string;
  /** Run on the restored data before any service can open them. */
  statements: readonly string[];
  log: (line: string) => void;
  sharedDirs?: readonly string[];
}

/**
 * Unpacks a backup beside the private database, prepares it and puts it into its place. The database before is kept:
 * until the last step it is the one that a start opens. The caller holds the lock of the data directory.
 *
 * @returns where the database before is; null: there was none
 * @throws BackupFileError: the file cannot be unpacked
 */
export async function restoreCluster(options: RestoreOptions): Promise<string | null> {
  const { dataDir, home } = await openHome(options);
  const half = `${home.dataPath}.restoring`;
  const restored = restoredPathOf(home.dataPath);
  for (const path of [half, restored]) await rm(path, { recursive: true, force: true });
  await mkdir(half, { mode: 0o700 });
  if (home.user) await chown(half, home.user.uid, home.user.gid);
  try {
    for await (const entry of readBackupFile(options.file)) await unpack(half, entry, home.user);
    const password = readOrCreateSecret(passwordFileOf(dataDir));
    await runStatements({ ...home, dataPath: half }, [
      `ALTER ROLE ${POSTGRES_USER} PASSWORD '${password}'`,
      ...options.statements,
    ]);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    throw error;
  }
  await rename(half, restored);
  // Its wake-ups name rows that may be others now.
  await removeRedisData(dataDir, options.log);
  return replaceCluster(home.dataPath);
}

/** With modes as Postgres requires them. Written to the disk: what is renamed later is complete. */
async function unpack(
  folder: string,
  { path, size, content }: BackupContent,
  user: ServerUser | undefined,
): Promise<void> {
  const place = join(folder, path);
  if (size === null) {
    if (!existsSync(place)) await mkdir(place, { mode: 0o700 });
  } else {
    const file = await open(place, 'wx', 0o600);
    try {
      for await (const chunk of content) await file.writeFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
  }
  if (user) await chown(place, user.uid, user.gid);
}
