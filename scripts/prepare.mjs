/**
 * Installs when the lock file is newer than the installation and builds when a source differs from the last build.
 * Requires no dependency and may run several times in parallel. Writes progress to standard error.
 */
import { existsSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acquireLock } from './build-lock.mjs';
import { exitLike, runChild } from './child.mjs';
import {
  COMPILE,
  CONSOLE_BUILD,
  readConsoleSources,
  readConsoleStamp,
  readSources,
  readStamp,
  removeStaleOutputs,
  WIDGET_BUILD,
  writeConsoleStamp,
  writeStamp,
} from './sources.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const LOCK_NAME = '.prepare.lock';
const LOCK_FILE = join(ROOT, 'package-lock.json');
const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json');
const COMPILER = join(ROOT, 'node_modules', '@swc', 'core', 'package.json');

/**
 * When a step fails, ends the process with the exit code or signal and the output of the step.
 *
 * @param {{builds?: boolean, buildsConsole?: boolean}} options `builds: false` installs only; the console is built
 * only for commands that serve it
 */
export async function prepare({ builds = true, buildsConsole = false } = {}) {
  const needsMore = () => (builds && needsBuild()) || (buildsConsole && needsConsole());
  if (!needsInstall() && !needsMore()) return;
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const release = await acquireLock(join(ROOT, 'dist', LOCK_NAME), () =>
    say('waiting for another preparation\n'),
  );
  try {
    // Checked again: another process may have finished the step during the wait.
    if (needsInstall()) await install();
    if (builds && needsBuild()) await build();
    if (buildsConsole && needsConsole()) await buildConsole();
  } catch (error) {
    if (!(error instanceof StepFailedError)) throw error;
    release();
    await exitLike(error.end);
  } finally {
    release();
  }
}

class StepFailedError extends Error {
  constructor(end) {
    super('A step of the preparation failed.');
    this.end = end;
  }
}

function needsInstall() {
  const installed = modifiedAt(INSTALLED);
  return installed === undefined || (modifiedAt(LOCK_FILE) ?? 0) > installed;
}

/** False without sources, as in the container image. */
function needsBuild() {
  return existsSync(join(ROOT, 'src')) && readSources(ROOT).digest !== readStamp(ROOT)?.digest;
}

function needsConsole() {
  return (
    existsSync(join(ROOT, 'console')) && readConsoleSources(ROOT).digest !== readConsoleStamp(ROOT)?.digest
  );
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Not `npm ci`: it deletes node_modules of a service that may be running. Includes development dependencies also with
 * NODE_ENV=production, because the build requires the compiler.
 */
async function install() {
  // The package's script downloads libraries for graphics cards; in `.npmrc` npm warns of the setting.
  process.env.ONNXRUNTIME_NODE_INSTALL ??= 'skip';
  const flags = ['--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  await step('installing dependencies', ...npm('install', ...flags));
  // npm does not write this file when nothing changes.
  if (existsSync(INSTALLED)) utimesSync(INSTALLED, new Date(), new Date());
}

async function build() {
  if (!existsSync(COMPILER)) await install(); // Only production dependencies are installed.
  const sources = readSources(ROOT);
  removeStaleOutputs(ROOT, sources, LOCK_NAME);
  await step('building', process.execPath, [COMPILE]);
  await step('building the widget', process.execPath, [WIDGET_BUILD]);
  writeStamp(ROOT, sources);
}

async function buildConsole() {
  const sources = readConsoleSources(ROOT);
  await step('building the console', process.execPath, [CONSOLE_BUILD]);
  writeConsoleStamp(ROOT, sources);
}

/** The npm of the parent process, else the one on the PATH; its name differs between systems. */
function npm(...args) {
  const running = process.env.npm_execpath;
  if (running?.endsWith('npm-cli.js')) return [process.execPath, [running, ...args]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args];
}

async function step(title, file, args) {
  const begin = performance.now();
  const output = [];
  say(`${title} ... `);
  const options = { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], shell: file.endsWith('.cmd') };
  const end = await runChild(file, args, options, (chunk) => output.push(chunk));
  if (end.code !== 0) {
    say(end.signal ? 'stopped\n' : 'failed\n');
    process.stderr.write(Buffer.concat(output));
    throw new StepFailedError(end);
  }
  say(`${((performance.now() - begin) / 1000).toFixed(1)} s\n`);
}

function say(text) {
  process.stderr.write(text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await prepare();
