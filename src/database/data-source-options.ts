import type { DataSourceOptions } from 'typeorm';
import { guardConnectionErrors, GuardedClient } from '#src/common/persistence/connection-error-guard.js';
import { MIGRATIONS } from './migrations/index.js';

const POOL_SIZE = 16;
/** Also how long a request may wait for a connection that others use: a burst of them queues here. */
const CONNECT_TIMEOUT_MS = 20_000;

export function dataSourceOptions(url: string): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
    logging: false,
    poolSize: POOL_SIZE,
    applicationName: 'calls',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      Client: GuardedClient,
      options: '-c timezone=UTC',
      idle_in_transaction_session_timeout: 60_000,
      onConnect: guardConnectionErrors,
    },
  };
}
