import type { DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';

const POOL_SIZE = 16;

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
    connectTimeoutMS: 5_000,
    extra: { options: '-c timezone=UTC', idle_in_transaction_session_timeout: 60_000 },
  };
}
