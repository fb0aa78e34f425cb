import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { patientDataSourceOptions } from './data-source-options.js';
import { seedCatalogue } from './seed/seed-catalogue.js';

export interface Migrated {
  /** Names of the migrations that were missing. */
  applied: string[];
  /** Names this database, whatever its address is. */
  instanceId: string;
}

/**
 * Applies what is missing and brings the catalogue up to date. Processes that start together wait for each
 * other on an advisory lock.
 */
export async function migrate(databaseUrl: string): Promise<Migrated> {
  return withLock(databaseUrl, async (db) => {
    const applied = await db.runMigrations({ transaction: 'each' });
    await seedCatalogue(db);
    const [row]: { id: string }[] = await db.query('SELECT id FROM installation');
    return { applied: applied.map(({ name }) => name), instanceId: row?.id ?? '' };
  });
}

/** Undoes the newest migration. */
export async function undoLastMigration(databaseUrl: string): Promise<void> {
  await withLock(databaseUrl, (db) => db.undoLastMigration({ transaction: 'each' }));
}

async function withLock<T>(databaseUrl: string, work: (db: DataSource) => Promise<T>): Promise<T> {
  const db = await new DataSource(patientDataSourceOptions(databaseUrl)).initialize();
  const lock = db.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    return await work(db);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migration]).catch(() => undefined);
    await lock.release();
    await db.destroy();
  }
}
