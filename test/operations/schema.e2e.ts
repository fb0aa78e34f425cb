import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type Table } from 'typeorm';
import { dataSourceOptions } from '#src/database/data-source-options.js';
import { database, databaseUrl } from '../support/database.js';
import { allEntities } from '../support/entities.js';

/** TypeORM and the files of functions keep them for themselves (docs/build/database-rules.md). */
const TABLES_WITHOUT_ENTITY = ['migrations', 'sql_files', 'typeorm_metadata'];

/**
 * What is not compared, because TypeORM does not know it; the migrations alone say it:
 * - the columns of indexes with a descending one: entities name these indexes with `synchronize: false`;
 * - the order of an index's columns;
 * - triggers, functions and storage parameters;
 * - whether an id is `GENERATED ALWAYS` or `BY DEFAULT`.
 */
describe('the entities and the migrated database', () => {
  let db: DataSource;
  let tables: Table[];

  const named = async (sql: string): Promise<string[]> =>
    (await database().query<{ name: string }>(sql)).rows.map(({ name }) => name);

  /** Indexes that entities name without their columns. */
  const namedOnly = (): string[] =>
    db.entityMetadatas.flatMap(({ indices }) =>
      indices.filter(({ synchronize }) => !synchronize).map(({ name }) => name),
    );

  beforeAll(async () => {
    const entities = await allEntities();
    db = await new DataSource({ ...dataSourceOptions(databaseUrl()), entities }).initialize();
    const runner = db.createQueryRunner();
    tables = await runner.getTables(db.entityMetadatas.map(({ tablePath }) => tablePath));
    await runner.release();
  });
  afterAll(() => db.destroy());

  it('have the same tables', async () => {
    const inDatabase = await named(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`,
    );
    const inEntities = db.entityMetadatas.map(({ tableName }) => tableName);
    expect([...inEntities, ...TABLES_WITHOUT_ENTITY].sort()).toEqual(inDatabase.sort());
  });

  it('agree on columns, types, nullability, defaults, keys, unique constraints, checks and indexes', async () => {
    const { upQueries } = await db.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  // In the words of Postgres. The schema builder finds both by their names only.
  it('agree on the conditions of checks and of partial indexes', () => {
    const inEntities = db.entityMetadatas.flatMap(({ checks, indices }) => [
      ...checks.map(({ name, expression }) => `${name} ${expression}`),
      ...indices.filter(({ where }) => where).map(({ name, where }) => `${name} ${where}`),
    ]);
    const inDatabase = tables.flatMap(({ checks, indices }) => [
      ...checks.map(({ name, expression }) => `${name} ${expression}`),
      ...indices
        .filter(({ name, where }) => where && !namedOnly().includes(name ?? ''))
        .map(({ name, where }) => `${name} ${where}`),
    ]);
    expect(inEntities.sort()).toEqual(inDatabase.sort());
  });

  it('have the same indexes that TypeORM cannot declare', async () => {
    const descending = await named(
      `SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND indexdef LIKE '% DESC%'`,
    );
    expect(namedOnly().sort()).toEqual(descending.sort());
  });
});
