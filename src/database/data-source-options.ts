import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { SharedPool } from '#src/common/persistence/shared-pool.js';
import { MIGRATIONS } from './migrations/index.js';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

const POOL_SIZE = 20;
/** Connections of one account: three accounts at their limit leave two connections for the others. */
const ACCOUNT_SHARE = 6;
/** Connections of all background work; the others are reserved for requests. */
const JOBS_SHARE = 14;
/** Also the time limit for a request that waits for a free connection. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Of a start, which loads its code at the same time: on a busy machine it reads the answer late. */
const START_CONNECT_TIMEOUT_MS = 120_000;

/** For statements of requests and jobs, in ms; see docs/run/limits.md. */
const TIME_LIMITS = {
  statement_timeout: 10_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 30_000,
};

/** @param applicationName how the connections are named in `pg_stat_activity` */
export function dataSourceOptions(url: string, applicationName = 'calls'): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    driver: { ...pg, Pool: SharedPool },
    namingStrategy: new SnakeNamingStrategy(),
    // `gen_random_uuid` needs no extension.
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
    logging: false,
    poolSize: POOL_SIZE,
    applicationName,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      accountShare: ACCOUNT_SHARE,
      jobsShare: JOBS_SHARE,
      options: '-c timezone=UTC',
      keepAlive: true,
      ...TIME_LIMITS,
    },
  };
}

/** For migrations: without a time limit for statements and locks. */
export function migrationDataSourceOptions(url: string): DataSourceOptions {
  const options = dataSourceOptions(url);
  const { statement_timeout, lock_timeout, ...extra } = options.extra as typeof TIME_LIMITS;
  return {
    ...options,
    connectTimeoutMS: START_CONNECT_TIMEOUT_MS,
    // Set to 0 explicitly: the role can have limits in the database.
    extra: { ...extra, options: '-c timezone=UTC -c statement_timeout=0 -c lock_timeout=0' },
  } as DataSourceOptions;
}
