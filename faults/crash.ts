/**
 * npm run faults -- crash: kills the process at every point of a call (test/calls/crash.e2e.ts), compares what was
 * heard with what is stored over restarts and on unkind lines, and runs the other tests that stop and start processes
 * (*.long.e2e.ts, *.long.spec.ts).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const FILES = '(\\.long\\.(e2e|spec)|/crash\\.e2e)\\.ts$';
/** Fewer than the suite has: each file has services of its own, and six files take all connections of the database. */
const WORKERS = 2;

export async function run(): Promise<void> {
  const child = spawn(process.execPath, ['scripts/test.mjs', `--maxWorkers=${WORKERS}`, FILES], {
    stdio: 'inherit',
    env: { ...process.env, LONG_TESTS: 'true' },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('a test failed');
}
