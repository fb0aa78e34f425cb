/**
 * node scripts/build-packages.mjs: joins packages of many files, which every start loads, into few files in
 * dist/node_modules. What is built finds them there, everything else finds the installed ones. Does nothing while the
 * lock file, package.json, this script and the imports are the same. docs/adr/0036-joined-packages.md
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(import.meta.url);
const ROOT = join(SCRIPT, '..', '..');
const MANIFEST = join(ROOT, 'package.json');
const OUT = join(ROOT, 'dist', 'node_modules');
const STAMP = join(OUT, '.joined');

/**
 * Not here: packages of few files, those that read files beside their own (bull), those that tests and benchmarks patch
 * (pg), and class-transformer, of which Nest requires parts at run time: it would find a second copy.
 */
const JOINED =
  /^(@nestjs\/[^/]+|class-validator|fastify|libphonenumber-js|prom-client|rxjs|typeorm|undici)(?=\/|$)/;
const IMPORT = /(?:\bfrom |\bimport |\bimport\()'([^'.#][^']*)'/g;

/** What the compiled files import of the packages, e.g. `typeorm` and `@nestjs/common/constants.js`. */
function importedPaths() {
  const dist = join(ROOT, 'dist');
  const found = new Set();
  // Joined packages end in .mjs; the console is for browsers.
  const isOurs = (name) => name.endsWith('.js') && !name.startsWith('console');
  for (const file of readdirSync(dist, { recursive: true }).filter(isOurs)) {
    const imports = readFileSync(join(dist, file), 'utf8').matchAll(IMPORT);
    for (const [, path] of imports) if (JOINED.test(path)) found.add(path);
  }
  return [...found].sort();
}

function digestOf(paths) {
  const hash = createHash('sha256').update(JSON.stringify(paths));
  for (const file of [SCRIPT, MANIFEST, join(ROOT, 'package-lock.json')]) hash.update(readFileSync(file));
  return hash.digest('hex');
}

/** Of `@nestjs/common/constants.js`: `@nestjs/common`, `./constants.js` and `./constants.mjs`. */
function split(path) {
  const [name] = JOINED.exec(path);
  const part = `.${path.slice(name.length)}`;
  return { name, part, file: part === '.' ? './index.mjs' : `${part.replace(/\.js$/, '')}.mjs` };
}

/** One module for each path, with its exports as Node names them: CommonJS does not tell them. */
const entries = {
  name: 'entries',
  setup(build) {
    build.onResolve({ filter: /^entry:/ }, ({ path }) => ({
      // Ends as a module does for which `default` is what a CommonJS module exports.
      path: `${path.slice('entry:'.length)}.mjs`,
      namespace: 'entry',
    }));
    build.onLoad({ filter: /./, namespace: 'entry' }, async ({ path }) => {
      const imported = path.slice(0, -'.mjs'.length);
      const names = Object.keys(await import(imported)).filter((name) => /^[\w$]+$/.test(name));
      return { contents: `export { ${names.join(', ')} } from '${imported}';`, resolveDir: ROOT };
    });
  },
};

/**
 * Leaves out what package.json names, so that there is one copy of it, what is imported while the process runs, because
 * of a joined CommonJS module such an import gets `default` only, and optional packages that are not installed.
 */
const others = {
  name: 'others',
  setup(build) {
    const { dependencies = {} } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
    build.onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === others || from.kind === 'entry-point') return undefined;
      const resolveFrom = (resolveDir) => build.resolve(path, { ...from, resolveDir, pluginData: others });
      const found = await resolveFrom(from.resolveDir);
      const isLater = from.kind === 'dynamic-import';
      if (found.errors.length > 0 || (isLater && JOINED.test(path))) return { path, external: true };
      const [name] = /^(@[^/]+\/)?[^/]+/.exec(path);
      if (JOINED.test(path) || !(isLater || Object.hasOwn(dependencies, name))) return found;
      // A package may need another version of it than the one that is found from dist.
      return (await resolveFrom(ROOT)).path === found.path ? { path, external: true } : found;
    });
  },
};

const NAME = 'var __name = (target, value) => __defProp(';
const CLASS_NAME = /\b__name\(this, ("[^"]*")\)/g;

/**
 * esbuild gives back their name also to functions, each time that one is made: a tenth of the processor's time of a
 * request. @throws when its output is another one than this script knows
 */
function writeNamingClasses(files) {
  if (!files.some(({ text }) => text.includes(NAME)))
    throw new Error('build-packages: esbuild names otherwise');
  for (const { path, text } of files) {
    mkdirSync(dirname(path), { recursive: true });
    const named = text
      .replace(NAME, 'var __name = (target, value, isClass) => !isClass ? target : __defProp(')
      .replaceAll(CLASS_NAME, '__name(this, $1, true)');
    writeFileSync(path, named);
  }
}

async function joinPackages(paths) {
  const { build } = await import('esbuild');
  const modules = paths.map((path) => ({ path, ...split(path) }));
  const { outputFiles } = await build({
    entryPoints: modules.map(({ path, name, file }) => ({
      in: `entry:${path}`,
      out: join(name, file.slice(0, -'.mjs'.length)),
    })),
    outdir: OUT,
    write: false,
    chunkNames: '.chunks/[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Nest and TypeORM read the names of classes.
    keepNames: true,
    logLevel: 'warning',
    banner: {
      // For what CommonJS modules require at run time.
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    plugins: [entries, others],
  });
  writeNamingClasses(outputFiles);
  for (const name of new Set(modules.map((one) => one.name))) {
    const own = modules.filter((one) => one.name === name);
    const exports = Object.fromEntries(own.map(({ part, file }) => [part, file]));
    writeFileSync(join(OUT, name, 'package.json'), JSON.stringify({ type: 'module', exports }));
  }
}

const paths = importedPaths();
const digest = digestOf(paths);
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== digest) {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  if (paths.length > 0) await joinPackages(paths);
  writeFileSync(STAMP, digest);
}
