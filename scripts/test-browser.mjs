/**
 * npm run test:browser: the widget and the service's pages in Chromium, at CHROMIUM_PATH (default /usr/bin/chromium).
 * Without one nothing is tested. BROWSER_SCREENSHOTS names a folder for pictures of what was seen.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exitLike, runChild } from './child.mjs';

const path = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
if (existsSync(path)) {
  const test = fileURLToPath(new URL('test.mjs', import.meta.url));
  const args = [test, '--selectProjects=browser', '--runInBand', ...process.argv.slice(2)];
  const env = { ...process.env, BROWSER_TESTS: '1', CHROMIUM_PATH: path };
  await exitLike(await runChild(process.execPath, args, { env, stdio: 'inherit' }));
} else {
  process.stdout.write(`Skipped: there is no Chromium at ${path}. Set CHROMIUM_PATH to the path of one.\n`);
}
