/**
 * npm run faults -- <name> [--seed N] [--broken variant]: runs the service against faults and fails when a promise is
 * broken; with `--broken` the service has a defect, and the run fails when it does not notice.
 * npm run faults -- all: every run and every broken variant, one after the other.
 */
import { runAll } from './support/run-all.js';

interface FaultRun {
  run(args: string[]): Promise<void>;
  /** Names for `--broken`. */
  BROKEN?: Record<string, unknown>;
}

const RUNS: Record<string, () => Promise<FaultRun>> = {
  crash: () => import('./crash.js'),
  cost: () => import('./cost.js'),
  neighbour: () => import('./neighbour.js'),
  fuzz: () => import('./fuzz.js'),
  disk: () => import('./disk.js'),
  sms: () => import('./sms.js'),
  webhooks: () => import('./webhooks.js'),
  dialer: () => import('./dialer.js'),
  api: () => import('./api.js'),
  postgres: () => import('./postgres.js'),
};

// By way of the exit handlers, which stop what was started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const [name = '', ...args] = process.argv.slice(2);
const load = RUNS[name];
if (name === 'all') {
  process.exitCode = await runAll(RUNS, args);
} else if (load) {
  const { run } = await load();
  await run(args);
} else {
  const names = [...Object.keys(RUNS), 'all'].join('|');
  process.stderr.write(`usage: npm run faults -- <${names}> [--seed N] [--broken variant]\n`);
  process.exitCode = 2;
}
// What a fault left hanging keeps no finished run alive.
process.exit();
