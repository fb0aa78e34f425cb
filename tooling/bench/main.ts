/**
 * npm run bench -- <name>… [--only <part>] [--write] [--recordings <folder>] [--manual <folder>]: measures and prints, asserts nothing.
 * Without a name it runs all benchmarks except `scale`, `retention` and `knowledge` and writes docs/build/benchmarks; with `--write` it writes the
 * pages of the named ones. `voice` takes a folder of recordings, `knowledge` one of a manual. Compare the ratios, not absolute values: service and
 * peer alternate in one run, so that other load on the machine affects both.
 */
import { parseArgs } from 'node:util';
import type { BenchOptions } from './support/bench-options.js';
import type { Finding } from './support/findings.js';
import { say } from './support/progress.js';
import { currentLoad, writeReport } from './support/report.js';
import { table } from './support/table.js';

interface Bench {
  /** Parts that can run alone. */
  parts?: readonly string[];
  run(only?: string, options?: BenchOptions): Promise<Finding[]>;
}

const BENCHES: Record<string, () => Promise<Bench>> = {
  rest: () => import('./rest.js'),
  engine: () => import('./engine.js'),
  realtime: () => import('./realtime.js'),
  dialer: () => import('./dialer.js'),
  start: () => import('./start.js'),
  webhooks: () => import('./webhooks.js'),
  sms: () => import('./sms.js'),
  analytics: () => import('./analytics.js'),
  console: () => import('./console.js'),
  voice: () => import('./voice.js'),
  knowledge: () => import('./knowledge.js'),
  scale: () => import('./scale.js'),
  retention: () => import('./retention.js'),
};

const { values, positionals } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    recordings: { type: 'string' },
    manual: { type: 'string' },
  },
  allowPositionals: true,
});
const isAll = positionals.length === 0;
/** `scale` takes half an hour and 30 GB, `retention` a quarter of an hour, `knowledge` needs a folder. */
const ONLY_BY_NAME = ['scale', 'retention', 'knowledge'];
const asked = isAll ? Object.keys(BENCHES).filter((name) => !ONLY_BY_NAME.includes(name)) : positionals;
if (
  values.help ||
  asked.some((name) => !Object.hasOwn(BENCHES, name)) ||
  (values.write && values.only !== undefined)
) {
  say(
    `usage: npm run bench -- ${Object.keys(BENCHES).join('|')}… [--only <part> | --write] [--recordings <folder>] [--manual <folder>]`,
  );
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
  const load = currentLoad();
  const findings =
    (await bench?.run(only, {
      recordings: values.recordings ?? null,
      manual: values.manual ?? null,
    })) ?? [];
  if (isAll || values.write) writeReport(name, findings, load);
  process.stdout.write(`\n${name}\n${table(findings)}`);
}
