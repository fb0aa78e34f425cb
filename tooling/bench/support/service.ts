import { SERVICE, startServer, type ServiceProcess } from '../../harness/server-process.js';
import type { BenchDatabase } from './database.js';

/** The service in its own process on the benchmark's database, with the sandbox as carrier and model. */
export const startService = (
  { url, dataDir }: BenchDatabase,
  env: Record<string, string> = {},
): Promise<ServiceProcess> =>
  startServer([SERVICE], {
    env: { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'warn', DRAIN_SECONDS: '0', ...env },
    echo: true,
  });
