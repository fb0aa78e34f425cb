import { availableParallelism } from 'node:os';
import { startEmbeddedRedis } from '#src/embedded/embedded-redis.js';
import { anAccount } from '../support/account.js';
import type { BenchDatabase } from '../support/database.js';
import { noted, type Finding } from '../support/findings.js';
import { inTurns } from '../support/in-turns.js';
import { load, shoot } from '../support/load.js';
import { say } from '../support/progress.js';
import { startService } from '../support/service.js';
import { Pool } from 'undici';
import { toolBody } from './bodies.js';

const TOOLS = 20;
/** More than one process can answer at a time. */
const CONCURRENCY = 64;

/**
 * One process for each core behind one port (`WEB_CONCURRENCY`), compared with one. Load and database run on the same
 * machine: where they have no cores of their own, more processes gain little.
 */
export async function processes(database: BenchDatabase): Promise<Finding[]> {
  const redis = await startEmbeddedRedis({ dataDir: database.dataDir, log: say });
  if (!redis) return [];
  const cores = availableParallelism();
  const start = (count: number) =>
    startService(database, { ROLE: 'api', REDIS_URL: redis.url, WEB_CONCURRENCY: String(count) });
  try {
    const { headers } = await anAccount(database.pool, 'processes');
    const [one, many] = [await start(1), await start(cores)];
    try {
      const http = new Pool(one.url);
      for (let number = 0; number < TOOLS; number++) {
        const body = JSON.stringify(toolBody(number));
        await shoot(http, { method: 'POST', path: '/api/user/tools', headers, body });
      }
      await http.close();
      say(`rest: ${cores} processes`);
      const next = () => ({ method: 'GET' as const, path: '/api/user/tools', headers });
      const taken = await inTurns({
        peer: () => load(one.url, next, { concurrency: CONCURRENCY }),
        own: () => load(many.url, next, { concurrency: CONCURRENCY }),
      });
      const what = `GET tools (${TOOLS}), WEB_CONCURRENCY=${cores} on ${cores} cores; peer: one process`;
      return [noted(what, 'req/s', taken.own, taken.peer)];
    } finally {
      await Promise.all([one.stop(), many.stop()]);
    }
  } finally {
    await redis.stop();
  }
}
