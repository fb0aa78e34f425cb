/**
 * npm run bench -- <name>… [--only <part>]: measures and prints, asserts nothing. Compare the ratios, not absolute values: service and
 * peer take turns in one run, so that other load on the machine affects both.
 */
import { parseArgs } from 'node:util';
import type { Finding } from './support/findings.js';
import { say } from './support/progress.js';
import { table } from './support/table.js';

interface Bench {
  /** Parts that can run alone. */
  parts?: readonly string[];
  run(only?: string): Promise<Finding[]>;
}

const BENCHES: Record<string, () => Promise<Bench>> = {
  rest: () => import('./rest.js'),
  engine: () => import('./engine.js'),
  realtime: () => import('./realtime.js'),
  dialer: () => import('./dialer.js'),
  start: () => import('./start.js'),
  webhooks: () => import('./webhooks.js'),
  sms: () => import('./sms.js'),
};

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const asked = positionals.flatMap((name) => (name === 'all' ? Object.keys(BENCHES) : [name]));
if (asked.length === 0 || asked.some((name) => !Object.hasOwn(BENCHES, name))) {
  say(`usage: npm run bench -- ${Object.keys(BENCHES).join('|')}|all … [--only <part>]`);
  process.exit(2);
}
// process.exit() runs the exit handlers, which stop child processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

for (const name of asked) {
  const bench = await BENCHES[name]?.();
  const { only } = values;
  if (only !== undefined && !bench?.parts?.includes(only)) {
    say(`${name}: --only takes ${bench?.parts?.join('|') ?? 'nothing: it has no parts'}`);
    process.exit(2);
  }
  const findings = (await bench?.run(only)) ?? [];
  process.stdout.write(`\n${name}\n${table(findings)}`);
}
