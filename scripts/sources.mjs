import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** State of the sources at the last build. */
const STAMP = join('dist', '.sources.json');
const BUILD_CONFIG = 'tsconfig.build.json';
/** Compiles the sources. */
export const COMPILE = join('scripts', 'compile.mjs');
/** Bundles `widget/`. */
export const WIDGET_BUILD = join('scripts', 'build-widget.mjs');
/** Builds `console/`. */
export const CONSOLE_BUILD = join('scripts', 'build-console.mjs');
/** Serves `console/` during development. */
export const CONSOLE_SERVE = join('scripts', 'serve-console.mjs');
/** Sources shared by the console, the widget and the service. */
const SHARED_WITH_CONSOLE = [
  'widget',
  join('src', 'cli', 'demo', 'practice.ts'),
  join('src', 'common', 'csv'),
  join('src', 'modules', 'assistants', 'render-template.ts'),
  join('src', 'modules', 'knowledge', 'knowledge.types.ts'),
  join('src', 'modules', 'sms', 'segments'),
];
const CONSOLE_STAMP = join('dist', 'console', '.built.json');

/** Sources shared by benchmarks, fault runs and tests. */
const TEST_HELPERS = ['factories', 'resources', 'support'].map((name) => join('test', name));

/** The inputs of the build, by its own configuration, and the files that control the build. */
function listSources(root) {
  const { include } = JSON.parse(readFileSync(join(root, BUILD_CONFIG), 'utf8'));
  const scripts = [COMPILE, WIDGET_BUILD];
  const settings = ['tsconfig.json', BUILD_CONFIG, '.swcrc', 'package-lock.json'];
  const entries = new Set([...include, ...TEST_HELPERS, 'widget', ...scripts, ...settings]);
  return [...new Set([...entries].flatMap((entry) => listFiles(root, entry)))].sort();
}

/** Tests are not built; YAML files are copied. */
function listFiles(root, entry) {
  const stat = statSync(join(root, entry), { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat ? [entry] : [];
  return readdirSync(join(root, entry), { recursive: true })
    .filter((name) => /\.(ts|sql|yaml)$/.test(name) && !name.endsWith('.spec.ts'))
    .map((name) => join(entry, name));
}

/** Into `dist`, from which the service reads them. */
export function copyDataFiles(root) {
  for (const file of listSources(root).filter((name) => /\.(sql|yaml)$/.test(name)))
    cpSync(join(root, file), join(root, 'dist', file));
}

/** The state of all sources: equal until a source is changed, added or deleted. */
export const readSources = (root) => stateOf(root, listSources(root));

/** The same for the console, which has a separate build: only commands that serve it require it. */
export function readConsoleSources(root) {
  const files = readdirSync(join(root, 'console'), { recursive: true })
    .map((name) => join('console', name))
    .filter(
      (name) =>
        /\.(ts|tsx|css|html|json)$/.test(name) && !/node_modules|\.spec\.tsx?$|schema\.d\.ts$/.test(name),
    );
  const shared = SHARED_WITH_CONSOLE.flatMap((folder) => listFiles(root, folder));
  return stateOf(root, [...files, ...shared, CONSOLE_BUILD, 'package-lock.json'].sort());
}

function stateOf(root, files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return { files, digest: hash.digest('hex') };
}

export const readStamp = (root) => readJson(join(root, STAMP));
export const readConsoleStamp = (root) => readJson(join(root, CONSOLE_STAMP));

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null; // Not built, or not by this script.
  }
}

export function writeStamp(root, sources) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, STAMP), JSON.stringify(sources));
}

export function writeConsoleStamp(root, { digest }) {
  writeFileSync(join(root, CONSOLE_STAMP), JSON.stringify({ digest }));
}

/** Deletes the output of deleted sources; without a stamp all output except the guide, which has no stamp. */
export function removeStaleOutputs(root, sources, lockName) {
  const former = readStamp(root);
  const dist = join(root, 'dist');
  if (!former) {
    const entries = readdirSync(dist).filter((name) => name !== lockName && name !== 'guide');
    for (const name of entries) rmSync(join(dist, name), { recursive: true, force: true });
    return;
  }
  const kept = new Set(sources.files);
  for (const file of former.files.filter((name) => /\.(ts|sql)$/.test(name) && !kept.has(name))) {
    const output = join(dist, file.replace(/\.ts$/, '.js'));
    for (const path of [output, `${output}.map`]) rmSync(path, { force: true });
  }
}
