/**
 * npm run dev: prepares like `npm start`, then compiles on every change, the widget included, and restarts the
 * service after a build without errors. Serves the console at a separate address with live reload. Not `nest start
 * --watch`: it ends the private Postgres and Redis together with the service, which needs them for its shutdown.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.mjs';
import { CONSOLE_SERVE, copyDataFiles, WIDGET_BUILD } from './sources.mjs';

const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const COMPILED = / Found (\d+) errors?\. Watching for file changes\./;

let service = null;
let stopping = false;
let restarts = Promise.resolve();

await prepare({ buildsConsole: true });
const compiler = spawn(
  process.execPath,
  [COMPILER, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput', '--pretty', 'false'],
  { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
);
let partOfLine = '';
compiler.stdout.on('data', (chunk) => {
  process.stderr.write(chunk);
  const lines = (partOfLine + chunk).split('\n');
  partOfLine = lines.pop() ?? '';
  if (lines.findLast((line) => COMPILED.test(line))?.match(COMPILED)?.[1] === '0') restart();
});
// Its input ends with this process, whatever the cause.
const bundler = spawn(process.execPath, [WIDGET_BUILD, '--watch'], {
  cwd: ROOT,
  stdio: ['pipe', 'pipe', 'inherit'],
});
let builds = 0;
bundler.stdout.on('data', () => {
  builds += 1;
  // The first one is the build of the initial start.
  if (builds > 1) restart();
});
// The compiler does not watch them. An editor causes several events with one change.
let sqlChanged;
watch(join(ROOT, 'src'), { recursive: true }, (_, name) => {
  if (!name?.endsWith('.sql')) return;
  clearTimeout(sqlChanged);
  sqlChanged = setTimeout(restart, 100);
});
const consoleServer = spawn(process.execPath, [CONSOLE_SERVE], {
  cwd: ROOT,
  stdio: ['pipe', 'inherit', 'inherit'],
});
compiler.on('exit', (code) => {
  if (!stopping) void stop(code ?? 1);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));

function restart() {
  restarts = restarts.then(endService).then(() => {
    if (stopping) return;
    copyDataFiles(ROOT);
    startService();
  });
}

function startService() {
  const started = spawn(process.execPath, ['--enable-source-maps', join('dist', 'src', 'main.js')], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  service = started;
  started.on('exit', (code, signal) => {
    if (service !== started) return;
    service = null;
    process.stderr.write(`The service ended (${signal ?? code}); it starts again after the next change.\n`);
  });
}

/** Waits until the service has finished its shutdown. */
async function endService() {
  const ending = service;
  service = null;
  if (!ending) return;
  const exited = once(ending, 'exit');
  ending.kill('SIGTERM');
  await exited;
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  compiler.kill();
  bundler.kill();
  consoleServer.kill();
  await restarts;
  await endService();
  process.exit(code);
}
