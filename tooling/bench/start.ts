/** npm run bench -- start: time from `npm start` to a ready service with a private database. */
import { rmSync } from 'node:fs';
import { SERVICE, startServer } from '../harness/server-process.js';
import { makeDataDir } from './support/data-dir.js';
import { below, type Finding } from './support/findings.js';
import { ROUNDS } from './support/pace.js';
import { say } from './support/progress.js';
import { median } from './support/stats.js';

const TARGET_SECONDS = 2;
const FIRST_TARGET_SECONDS = 4;

export async function run(): Promise<Finding[]> {
  const dataDir = makeDataDir();
  try {
    say('start: with an empty data directory');
    const first = await startSeconds(dataDir);
    const later: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      say('start: again');
      later.push(await startSeconds(dataDir));
    }
    return [
      below('start to ready, data directory present', 's', TARGET_SECONDS, median(later)),
      below('start to ready, the first time', 's', FIRST_TARGET_SECONDS, first),
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Runs the start script, including its check for changed sources. */
async function startSeconds(dataDir: string): Promise<number> {
  const service = await startServer(['scripts/run.mjs', SERVICE], {
    env: { DATA_DIR: dataDir, LOG_LEVEL: 'warn', DRAIN_SECONDS: '0' },
    echo: true,
  });
  await service.stop();
  return service.startMs / 1000;
}
