import { startChild, type Child } from './child.js';
import type { BenchDatabase } from './database.js';

export const SERVICE = 'dist/src/main.js';

/** The service in its own process on the benchmark's database; carrier and model are the sandbox. */
export const startService = (
  { url, dataDir }: BenchDatabase,
  env: Record<string, string> = {},
): Promise<Child> =>
  startChild([SERVICE], {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
    ...env,
  });
