/**
 * node scripts/run.mjs <entry> [arguments]: prepares, then runs the entry in this process, so that signals reach it
 * and its exit code is that of the process.
 */
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, ROOT } from './prepare.mjs';

const PARENT_POLL_MS = 250;

/** They show the console to people. */
const SERVICES = ['dist/src/main.js', 'dist/src/cli/demo.js'];

const [entry, ...args] = process.argv.slice(2);
if (!entry) {
  process.stderr.write('usage: node scripts/run.mjs <entry> [arguments]\n');
  process.exit(2);
}
const parent = process.ppid;
await prepare({ buildsConsole: SERVICES.includes(entry) });
if (process.env.npm_lifecycle_event) followNpm();
const path = join(ROOT, entry);
process.argv.splice(1, Infinity, path, ...args);
enableSourceMaps();
// Node 22 and later: a start takes about 0.2 s less of the processor with the code that a former start compiled.
module.enableCompileCache?.(join(ROOT, 'dist', '.compile-cache'));
await import(pathToFileURL(path).href);

/** Where Node can tell them apart, without the maps of packages: more than 900 files that only traces would use. */
function enableSourceMaps() {
  if (module.setSourceMapsSupport) module.setSourceMapsSupport(true, { nodeModules: false });
  else process.setSourceMapsEnabled(true);
}

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
