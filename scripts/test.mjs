/**
 * node scripts/test.mjs [--slow] [arguments of jest]: prepares, then runs the fast tests, or the slow ones
 * (jest.config.js).
 */
import { join } from 'node:path';
import { exitLike, runChild } from './child.mjs';
import { prepare, ROOT } from './prepare.mjs';

const [first, ...rest] = process.argv.slice(2);
const isSlow = first === '--slow';
const args = isSlow ? rest : process.argv.slice(2);
// Browser tests load the console, too.
await prepare({ buildsConsole: isSlow });
// In the environment, not on the command line: Jest's workers require it too.
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const env = {
  ...process.env,
  TEST_TIER: isSlow ? 'slow' : 'fast',
  NODE_OPTIONS: [process.env.NODE_OPTIONS, ...flags].filter(Boolean).join(' '),
};
const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
await exitLike(await runChild(process.execPath, [jest, ...args], { cwd: ROOT, env, stdio: 'inherit' }));
