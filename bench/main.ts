/**
 * npm run bench -- <name>…: measures and prints, asserts nothing. Compare the ratios, not absolute values: service and
 * peer take turns in one run, so that other load on the machine affects both.
 */
import type { Finding } from './support/findings.js';
import { say } from './support/progress.js';
import { table } from './support/table.js';

interface Bench {
  run(): Promise<Finding[]>;
}

const BENCHES: Record<string, () => Promise<Bench>> = {
  rest: () => import('./rest.js'),
  engine: () => import('./engine.js'),
  dialer: () => import('./dialer.js'),
  start: () => import('./start.js'),
  webhooks: () => import('./webhooks.js'),
  sms: () => import('./sms.js'),
};

const asked = process.argv.slice(2).flatMap((name) => (name === 'all' ? Object.keys(BENCHES) : [name]));
if (asked.length === 0 || asked.some((name) => !Object.hasOwn(BENCHES, name))) {
  say(`usage: npm run bench -- ${Object.keys(BENCHES).join('|')}|all …`);
  process.exit(2);
}
// process.exit() runs the exit handlers, which stop child processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

for (const name of asked) {
  const bench = await BENCHES[name]?.();
  const findings = (await bench?.run()) ?? [];
  process.stdout.write(`\n${name}\n${table(findings)}`);
}
