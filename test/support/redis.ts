import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the service of the tests; null: this machine has none. */
export function redisOfTheService(): string | null {
  const record = join(process.env.E2E_DATA_DIR ?? '', 'redis.json');
  if (process.env.E2E_REDIS_URL || !existsSync(record)) return process.env.E2E_REDIS_URL ?? null;
  return (JSON.parse(readFileSync(record, 'utf8')) as { url: string }).url;
}
