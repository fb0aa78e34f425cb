/** npm run faults -- crash: the process is killed at every point of a call, see test/crash.e2e.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export async function run(): Promise<void> {
  const child = spawn(process.execPath, ['scripts/test.mjs', 'test/crash.e2e.ts'], {
    stdio: 'inherit',
    env: { ...process.env, CRASH_POINTS: 'all' },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('a kill at one of the points lost or doubled something');
}
