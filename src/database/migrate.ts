import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { Installation } from './installation.entity.js';
import { migrationDataSourceOptions } from './data-source-options.js';
import { seedCatalogue } from './seed/seed-catalogue.js';

export interface Migrated {
  /** Names of the migrations that this run applied. */
  applied: string[];
  /** Identifies the database independently of its address; prefix of the queue's keys in Redis. */
  instanceId: string;
}

/**
 * Applies pending migrations and updates the catalogue, with the operator's file (`CATALOGUE_FILE`) over it. An advisory lock serializes processes that start at the same
 * time.
 */
export async function migrate(databaseUrl: string, catalogueFile: string | null): Promise<Migrated> {
  return withLock(databaseUrl, async (db) => {
    const applied = await db.runMigrations({ transaction: (await isEmpty(db)) ? 'all' : 'each' });
    await seedCatalogue(db, catalogueFile);
    const [installation] = await db.getRepository(Installation).find();
    return { applied: applied.map(({ name }) => name), instanceId: installation?.id ?? '' };
  });
}

/** In an empty database nobody waits for a lock, and one transaction saves a flush to the disk for each migration. */
async function isEmpty(db: DataSource): Promise<boolean> {
  const [row] = await db.query<{ empty: boolean }[]>(`SELECT to_regclass('migrations') IS NULL AS empty`);
  return row?.empty ?? false;
}

export async function undoLastMigration(databaseUrl: string): Promise<void> {
  await withLock(databaseUrl, (db) => db.undoLastMigration({ transaction: 'each' }));
}

async function withLock<T>(databaseUrl: string, work: (db: DataSource) => Promise<T>): Promise<T> {
  const db = await new DataSource({
    ...migrationDataSourceOptions(databaseUrl),
    entities: [Installation],
  }).initialize();
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
