/** node scripts/test.mjs [arguments of jest]: prepares, then runs the tests. */
import { join } from 'node:path';
import { exitLike, runChild } from './child.mjs';
import { prepare, ROOT } from './prepare.mjs';

await prepare();
// In the environment, not on the command line: Jest's workers need it too. Modules are compiled anew for each test file;
// with more space for new objects that costs fewer garbage collections.
const flags = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=64',
];
const env = { ...process.env, NODE_OPTIONS: [process.env.NODE_OPTIONS, ...flags].filter(Boolean).join(' ') };
const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
await exitLike(
  await runChild(process.execPath, [jest, ...process.argv.slice(2)], { cwd: ROOT, env, stdio: 'inherit' }),
);
