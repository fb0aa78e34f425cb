/**
 * node scripts/run.mjs <entry> [arguments]: prepares, then runs the entry in this process, so that signals reach it
 * and its exit code is that of the process.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, ROOT } from './prepare.mjs';

const PARENT_POLL_MS = 250;

const [entry, ...args] = process.argv.slice(2);
if (!entry) {
  process.stderr.write('usage: node scripts/run.mjs <entry> [arguments]\n');
  process.exit(2);
}
const parent = process.ppid;
await prepare();
if (process.env.npm_lifecycle_event) followNpm();
const path = join(ROOT, entry);
process.argv.splice(1, Infinity, path, ...args);
process.setSourceMapsEnabled(true);
await import(pathToFileURL(path).href);

/**
 * npm forwards SIGTERM to its shell. With `exec` in package.json this process replaces the shell. This poll covers
 * shells that ignore `exec` and an npm that was killed: then the parent process changes.
 */
function followNpm() {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}
