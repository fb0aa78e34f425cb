import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { serviceVersion } from '#src/config/version.js';
import { keyFileOf } from '#src/config/key-file.js';
import type { Settings } from '#src/config/settings.js';
import { MIGRATIONS } from '#src/database/migrations/index.js';
import { markStatement } from '#src/database/restore-state.js';
import {
  BackupFileError,
  checkBackupFile,
  writeBackupFile,
  type BackupManifest,
} from '#src/embedded/backup-file.js';
import { readRunningCluster } from '#src/embedded/cluster-backup.js';
import { restoreCluster } from '#src/embedded/cluster-restore.js';
import { lockDataDir } from '#src/embedded/data-dir-lock.js';
import { locatePostgresBinaries } from '#src/embedded/postgres-home.js';
import { requireTables, withDatabase, withDatabaseClient } from './database.js';

type Place = Pick<Settings, 'databaseUrl' | 'dataDir' | 'encryptionKeys'>;

const PLATFORM = `${process.platform}-${process.arch}`;

/** A backup has the data of accounts, not what opens the secrets in it. */
const keyNote = ({ encryptionKeys, dataDir }: Place): string =>
  encryptionKeys.length > 0 ? 'the values of ENCRYPTION_KEYS' : keyFileOf(dataDir);

/** @throws Error: the service uses a database of its own */
function requirePrivate({ databaseUrl }: Place, instead: string): void {
  if (databaseUrl !== null)
    throw new Error(`This command is for the private database; DATABASE_URL names another one. ${instead}`);
}

/** @returns what is in it, and where the keys are that it does not contain */
export async function backUp(
  place: Place,
  file: string,
): Promise<{ manifest: BackupManifest; keys: string }> {
  requirePrivate(place, 'Back it up with pg_dump or the tools of its provider.');
  if (existsSync(file)) throw new BackupFileError(file, 'exists. Give the name of a new file.');
  return withDatabase(place, async ({ url, administratorUrl }) => {
    await requireTables(url);
    return withDatabaseClient(administratorUrl ?? url, async (client) => {
      const manifest = await describe(client);
      await writeBackupFile(file, manifest, readRunningCluster(client));
      return { manifest, keys: keyNote(place) };
    });
  });
}

async function describe(client: pg.Client): Promise<BackupManifest> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  return {
    version: serviceVersion(),
    createdAt: new Date().toISOString(),
    migrations: rows.map(({ name }) => name),
    postgres: locatePostgresBinaries().version,
    platform: PLATFORM,
  };
}

export interface Restored {
  manifest: BackupManifest;
  /** Where the data before are; null: there were none. */
  replaced: string | null;
  /** Where the keys have to be; null: they are there. */
  missingKeys: string | null;
}

/** @throws DataDirInUseError while the service or another command works in the data directory; BackupFileError */
export async function restore(place: Place, file: string): Promise<Restored> {
  requirePrivate(place, 'Restore it with its own tools while the service is stopped, then: restore mark');
  const locks = [lockDataDir(join(place.dataDir, 'cli')), lockDataDir(place.dataDir)];
  try {
    const manifest = await checkBackupFile(file);
    requireUsable(file, manifest);
    const replaced = await restoreCluster({
      file,
      dataDir: place.dataDir,
      statements: [markStatement(new Date(manifest.createdAt))],
      log: (line) => process.stderr.write(`${line}\n`),
    });
    const hasKeys = place.encryptionKeys.length > 0 || existsSync(keyFileOf(place.dataDir));
    return { manifest, replaced, missingKeys: hasKeys ? null : keyFileOf(place.dataDir) };
  } finally {
    for (const lock of locks.reverse()) lock.release();
  }
}

function requireUsable(file: string, { version, migrations, postgres, platform }: BackupManifest): void {
  const known = new Set<string | undefined>(MIGRATIONS.map(({ name }) => name));
  if (migrations.some((name) => !known.has(name)))
    throw new BackupFileError(
      file,
      `is of a newer version of the service (${version}). Install that one first.`,
    );
  const own = locatePostgresBinaries().version;
  if (majorOf(own) !== majorOf(postgres) || platform !== PLATFORM)
    throw new BackupFileError(
      file,
      `is of PostgreSQL ${majorOf(postgres)} on ${platform}, and this is ${majorOf(own)} on ${PLATFORM}: it cannot be opened here.`,
    );
}

const majorOf = (version: string): string => version.split('.')[0] ?? '';
