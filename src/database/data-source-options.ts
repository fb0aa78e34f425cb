import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { SharedPool } from '#src/common/persistence/shared-pool.js';
import { MIGRATIONS } from './migrations/index.js';

const POOL_SIZE = 20;
/** Three accounts that do their worst leave connections for all others. */
const ACCOUNT_SHARE = 6;
/** Leaves connections for requests, however much background work there is. */
const JOBS_SHARE = 14;
/** Also how long a request may wait for a connection that others use: a burst of them queues here. */
const CONNECT_TIMEOUT_MS = 10_000;

/** What ends a statement of a request or a job, in ms; see docs/OPERATING.md. */
const TIME_LIMITS = {
  statement_timeout: 10_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 30_000,
};

export function dataSourceOptions(url: string): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    driver: { ...pg, Pool: SharedPool },
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
    logging: false,
    poolSize: POOL_SIZE,
    applicationName: 'calls',
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

/** For migrations, which may take and wait as long as they need. */
export function patientDataSourceOptions(url: string): DataSourceOptions {
  const options = dataSourceOptions(url);
  const { statement_timeout, lock_timeout, ...extra } = options.extra as typeof TIME_LIMITS;
  return {
    ...options,
    // Said, not only left out: the database may have limits of its own for the user.
    extra: { ...extra, options: '-c timezone=UTC -c statement_timeout=0 -c lock_timeout=0' },
  } as DataSourceOptions;
}
