/** npm run faults -- <name> [arguments]: runs the service against faults and fails when a promise is broken. */
const RUNS: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  cost: () => import('./cost.js'),
  disk: () => import('./disk.js'),
  fuzz: () => import('./fuzz.js'),
  neighbour: () => import('./neighbour.js'),
  sms: () => import('./sms.js'),
  webhooks: () => import('./webhooks.js'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = RUNS[name];
if (!load) {
  process.stderr.write(`usage: npm run faults -- <${Object.keys(RUNS).join('|')}> [--seed N]\n`);
  process.exit(2);
}
// Ends through `exit`, where each run leaves no service behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { run } = await load();
await run(args);
