import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#src/config/settings.js';
import { DataDirInUseError, lockDataDir, type DataDirLock } from '#src/database/embedded/data-dir-lock.js';

export interface OperatorDatabase {
  url: string;
  /** Started for this command: nobody but us has brought its tables up to date. */
  isOwn: boolean;
}

/** A service that starts or stops, or another command, has the data directory for no longer than this. */
const PATIENCE_MS = 20_000;
const POLL_MS = 100;

/**
 * Runs the work on the service's database: the one of the settings, the private one of a running service, or a
 * private one that is started for as long as the work takes.
 */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  work: (database: OperatorDatabase) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) return work({ url: databaseUrl, isOwn: false });
  // Commands take turns: one must not use the server that another one is about to stop.
  const turn = await patiently(() => lockDataDir(join(dataDir, 'cli')));
  try {
    return await withPrivateDatabase(dataDir, work);
  } finally {
    turn.release();
  }
}

async function withPrivateDatabase<T>(
  dataDir: string,
  work: (database: OperatorDatabase) => Promise<T>,
): Promise<T> {
  const { findRunningPostgres, startEmbeddedPostgres } =
    await import('#src/database/embedded/embedded-postgres.js');
  const found = await patiently(() => findRunningPostgres(dataDir)?.url ?? lockDataDir(dataDir));
  if (typeof found === 'string') return work({ url: found, isOwn: false });
  const leave = (): never => process.exit(130);
  process.once('SIGINT', leave);
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log: (line) => process.stderr.write(`${line}\n`),
    });
    return await work({ url: postgres.url, isOwn: true }).finally(() => postgres.stop());
  } finally {
    process.removeListener('SIGINT', leave);
    found.release();
  }
}

/** Tries again while another process holds what is wanted. @throws DataDirInUseError when that takes too long */
async function patiently<T extends string | DataDirLock>(take: () => T): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return take();
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || performance.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}
