import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { say } from './fault-run.js';

type Loaders = Record<string, () => Promise<{ BROKEN?: Record<string, unknown> }>>;

/** Time limit of a run. */
const TIMEOUT_MS = 15 * 60_000;

/** Runs every run and every variant, each in its own process. @returns the exit code */
export async function runAll(loaders: Loaders, args: string[]): Promise<number> {
  const failed: string[] = [];
  for (const [name, load] of Object.entries(loaders)) {
    const { BROKEN = {} } = await load();
    const variants = Object.keys(BROKEN).map((variant) => ['--broken', variant]);
    for (const variant of [[], ...variants]) {
      const title = [name, ...variant].join(' ');
      say(`\n== ${title}`);
      if ((await runChild([name, ...variant, ...args])) !== 0) failed.push(title);
    }
  }
  say(failed.length === 0 ? '\nall passed' : `\nfailed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

async function runChild(args: string[]): Promise<number | null> {
  const child = spawn(process.execPath, ['dist/tooling/faults/main.js', ...args], { stdio: 'inherit' });
  const timer = setTimeout(() => child.kill('SIGTERM'), TIMEOUT_MS);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  return code;
}
