import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { Installation } from './installation.entity.js';
import { migrationDataSourceOptions } from './data-source-options.js';
import { HISTORY, OLDEST_MIGRATION } from './history/index.js';
import { noticeRestore } from './restore-state.js';
import { BASELINE, MIGRATIONS } from './migrations/index.js';
import { seedCatalogue } from './seed/seed-catalogue.js';
import { applySqlFiles, clearAppliedSqlFiles } from './sql-files.js';

export interface MigrationResult {
  /** Names of the migrations that this run applied. */
  applied: string[];
  /** Identifies the database independently of its address; prefix of the queue's keys in Redis. */
  instanceId: string;
}

/**
 * Applies pending migrations and the files of functions, views and triggers that have changed, and updates the
 * catalogue, with the operator's file (`CATALOGUE_FILE`) over it; notices a restored database. An advisory lock
 * serializes processes that start at the same time.
 */
export async function migrate(databaseUrl: string, catalogueFile: string | null): Promise<MigrationResult> {
  return withLock(databaseUrl, async (db) => {
    const names = await namesOfApplied(db);
    const upgrades = isBeforeBaseline(names) ? await replaceHistory(databaseUrl) : [];
    const pending = await db.runMigrations({ transaction: names === null ? 'all' : 'each' });
    const applied = [...upgrades, ...pending.map(({ name }) => name)];
    await db.transaction((tx) => applySqlFiles(tx, { all: applied.length > 0 }));
    await seedCatalogue(db, catalogueFile);
    await noticeRestore(db);
    const [installation] = await db.getRepository(Installation).find();
    return { applied, instanceId: installation?.id ?? '' };
  });
}

/**
 * Null: the database is empty. Nobody waits for a lock then, and one transaction saves a flush to the disk for each
 * migration.
 */
async function namesOfApplied(db: DataSource): Promise<Set<string> | null> {
  const [row] = await db.query<{ empty: boolean }[]>(`SELECT to_regclass('migrations') IS NULL AS empty`);
  if (row?.empty) return null;
  const rows = await db.query<{ name: string }[]>('SELECT name FROM migrations');
  return new Set(rows.map(({ name }) => name));
}

/** @throws Error: it is older than can be upgraded */
function isBeforeBaseline(names: Set<string> | null): boolean {
  if (names === null || names.size === 0) return false;
  if (names.has(OLDEST_MIGRATION)) return true;
  if (BASELINE.some(({ name }) => names.has(name))) return false;
  throw new Error(`This version upgrades databases that have the migration ${OLDEST_MIGRATION}.`);
}

/** Applies the baseline's schema, and records the baseline instead of its migrations. */
async function replaceHistory(databaseUrl: string): Promise<string[]> {
  const applied = await withMigrations(databaseUrl, HISTORY, (db) =>
    db.runMigrations({ transaction: 'each' }),
  );
  await withMigrations(databaseUrl, BASELINE, async (db) => {
    await db.runMigrations({ transaction: 'all', fake: true });
    await db.query('DELETE FROM migrations WHERE NOT name = ANY($1)', [MIGRATIONS.map(({ name }) => name)]);
  });
  return [...applied.map(({ name }) => name), ...BASELINE.map(({ name }) => name)];
}

async function withMigrations<T>(
  databaseUrl: string,
  migrations: typeof MIGRATIONS | typeof HISTORY,
  work: (db: DataSource) => Promise<T>,
): Promise<T> {
  const db = await new DataSource({ ...migrationDataSourceOptions(databaseUrl), migrations }).initialize();
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

export async function undoLastMigration(databaseUrl: string): Promise<void> {
  await withLock(databaseUrl, async (db) => {
    await db.undoLastMigration({ transaction: 'each' });
    await db.transaction(clearAppliedSqlFiles);
  });
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
