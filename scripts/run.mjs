/**
 * node scripts/run.mjs <entry> [arguments]: prepares, then runs the entry in this very process, so that signals and
 * exit codes are its own.
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
 * npm passes SIGTERM on to its shell. The scripts in package.json say `exec`, so that we take the shell's place; this is
 * for a shell that does not do so and dies without telling us, and for an npm that was killed.
 */
function followNpm() {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}
