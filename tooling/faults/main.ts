/**
 * npm run faults -- <name> [--seed N] [--broken variant]: runs the service under faults and fails when a requirement
 * is not met. With `--broken` the service has a planted defect, and the run fails when it does not detect it.
 * npm run faults -- all: every run and every broken variant, one after the other.
 */
import { runAll } from './support/run-all.js';

interface FaultRun {
  run(args: string[]): Promise<void>;
  /** Variants of `--broken`. */
  BROKEN?: Record<string, unknown>;
}

const RUNS: Record<string, () => Promise<FaultRun>> = {
  events: () => import('./events.js'),
  settings: () => import('./settings.js'),
  scenarios: () => import('./scenarios.js'),
  cost: () => import('./cost.js'),
  neighbour: () => import('./neighbour.js'),
  fuzz: () => import('./fuzz.js'),
  clients: () => import('./clients.js'),
  disk: () => import('./disk.js'),
  sms: () => import('./sms.js'),
  numbers: () => import('./numbers.js'),
  webhooks: () => import('./webhooks.js'),
  dialer: () => import('./dialer.js'),
  carrier: () => import('./carrier.js'),
  fairness: () => import('./fairness.js'),
  conversations: () => import('./conversations.js'),
  multimodal: () => import('./multimodal.js'),
  chats: () => import('./chats.js'),
  matrix: () => import('./matrix.js'),
  api: () => import('./api.js'),
  postgres: () => import('./postgres.js'),
};

// Through process.exit(), so that the exit handlers stop child processes.
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
// Ends the run also when a fault left open handles.
process.exit();
