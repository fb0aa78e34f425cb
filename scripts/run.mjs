/**
 * node scripts/run.mjs <entry> [arguments]: prepares, then runs the entry in this process: signals reach it and its
 * exit code is the exit code of the process.
 */
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, ROOT } from './prepare.mjs';

const PARENT_POLL_MS = 250;

/** These entries serve the console. */
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
// Node 22 and later: the compile cache of an earlier start saves about 0.2 s of CPU time per start.
module.enableCompileCache?.(join(ROOT, 'dist', '.compile-cache'));
await import(pathToFileURL(path).href);

/** Without the source maps of packages, where Node can exclude them: more than 900 files, needed only for traces. */
function enableSourceMaps() {
  if (module.setSourceMapsSupport) module.setSourceMapsSupport(true, { nodeModules: false });
  else process.setSourceMapsEnabled(true);
}

/**
 * npm forwards SIGTERM to its shell. With `exec` in package.json this process replaces the shell. This poll covers
 * shells that ignore `exec` and a killed npm: then the parent process changes.
 */
function followNpm() {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}
