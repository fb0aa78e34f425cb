/**
 * npm run new:module -- NAME [--parent PARENT] [--singular WORD]   creates a module from tooling/templates/ and registers it
 * npm run new:module -- NAME --console [--singular WORD]           with a list page and a form page of the console
 * npm run new:module -- NAME --remove                              removes it
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare, ROOT } from './prepare.mjs';

const USAGE = 'usage: npm run new:module -- NAME [--parent PARENT | --console] [--singular WORD] [--remove]';
const MIGRATIONS = 'src/database/migrations';
const TEMPLATES = 'tooling/templates';
const PAGES = 'console/src/pages';
const isOfConsole = (path) => path.startsWith('console/');
/** Placeholder in the file names of the templates' migrations. */
const NO_TIMESTAMP = '00000000000000';

/** Invalid input; no file was changed. */
export class Refused extends Error {}

/**
 * @param {string} root of the project
 * @param {{name: string, parent?: string, singular?: string, console?: boolean, now?: Date}} options
 * @returns {Promise<string[]>} the paths of the written files
 */
export async function newModule(root, options) {
  const { name, parent, singular, console: hasPages = false, now = new Date() } = options;
  const own = namesOf(name, singular);
  if (hasPages && parent !== undefined) throw new Refused('a module with a parent gets no pages');
  const kind = parent === undefined ? 'sample' : 'nested';
  const timestamp = nextTimestamp(root, now);
  const templates = templatesOf(root, kind).filter(({ path }) => hasPages || !isOfConsole(path));
  const files = templates.map(({ path, text }) => {
    const fill = (template) => {
      const filled = fillIn(template.replaceAll(NO_TIMESTAMP, timestamp), kind, own);
      return parent === undefined ? filled : fillIn(filled, 'sample', namesOf(parent));
    };
    return { path: fill(path), template: text, text: fill(text) };
  });
  assertFree(root, own, files);
  if (parent !== undefined) assertParent(root, namesOf(parent));
  for (const { path, text } of files) await write(root, path, text);
  for (const { file, ...place } of listings(own, timestamp, parent)) {
    if (isOfConsole(file) && !hasPages) continue;
    await write(root, file, insertLine(read(root, file), place));
  }
  return files.map(({ path }) => path);
}

/** Deletes the files and lines of `newModule`. @returns the paths of the files */
export async function removeModule(root, { name, singular }) {
  const own = namesOf(name, singular);
  const timestamp = migrationsOf(root).find(([, stem]) => stem === own.plural)?.[0] ?? NO_TIMESTAMP;
  const hasPages = existsSync(join(root, PAGES, own.plural));
  const paths = templatesOf(root, 'sample')
    .filter(({ path }) => hasPages || !isOfConsole(path))
    .map(({ path }) => fillIn(path.replace(NO_TIMESTAMP, timestamp), 'sample', own));
  const missing = paths.find((path) => !existsSync(join(root, path)));
  if (missing) throw new Refused(`${name} was not written by this command: there is no ${missing}`);
  for (const path of paths) rmSync(join(root, path));
  for (const folder of ['src/modules', 'test', ...(hasPages ? [PAGES] : [])]) {
    removeEmptyFolders(join(root, folder, name));
  }
  for (const { file, line, is = (other) => other === line } of listings(own, timestamp)) {
    if (isOfConsole(file) && !hasPages) continue;
    const lines = read(root, file).split('\n');
    await write(root, file, lines.filter((other) => !is(bare(other))).join('\n'));
  }
  return paths;
}

/** @param {string} plural in kebab-case, the name of the folder */
export function namesOf(plural, singular = singularOf(plural)) {
  for (const name of [plural, singular]) {
    if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name)) {
      throw new Refused(`${name} is not in kebab-case, e.g. call-notes`);
    }
  }
  if (plural === singular) throw new Refused(`${plural} is no plural; --singular names one of them`);
  return { plural, singular };
}

function singularOf(plural) {
  if (/[^aeiou]ies$/.test(plural)) return plural.replace(/ies$/, 'y');
  if (/(ss|sh|ch|x|z)es$/.test(plural)) return plural.replace(/es$/, '');
  return plural.replace(/(?<!s)s$/, '');
}

/**
 * Replaces `sample-items`, `sampleItem`, `SampleItems`, `sample_item`, `Sample items` and so on by the name in the
 * same spelling.
 *
 * @param {'sample' | 'nested'} kind first word of the placeholder
 */
export function fillIn(text, kind, { plural, singular }) {
  return text.replace(new RegExp(`${kind}([-_ ]?)item(s?)`, 'gi'), (match, separator, s) => {
    const isCapital = (index) => (index === 0 ? /^[A-Z]/.test(match) : separator === '');
    const words = (s ? plural : singular).split('-');
    return words.map((word, index) => (isCapital(index) ? capitalized(word) : word)).join(separator);
  });
}

const capitalized = (word) => word[0].toUpperCase() + word.slice(1);

/** The lists in which a module is registered. `inside`: first and last line of the list. */
function listings(own, timestamp, parent) {
  const filled = (template) => fillIn(template, 'sample', own);
  const imports = ['import ', /^$/];
  const migration = filled(`SampleItems${timestamp}`);
  return [
    {
      file: 'src/app.module.ts',
      inside: imports,
      line: filled("import { SampleItemsModule } from './modules/sample-items/sample-items.module.js';"),
    },
    { file: 'src/app.module.ts', inside: ['imports: [', /^\],$/], line: filled('SampleItemsModule,') },
    {
      file: `${MIGRATIONS}/index.ts`,
      inside: imports,
      line: `import { ${migration} } from './${timestamp}-${own.plural}.js';`,
    },
    { file: `${MIGRATIONS}/index.ts`, inside: ['MIGRATIONS = [', /^\];$/], line: `${migration},` },
    {
      file: 'scripts/structure.mjs',
      inside: ['export const ORDER = [', /^'app',$/],
      line: filled("'modules/sample-items',"),
    },
    {
      file: 'docs/build/architecture.md',
      inside: ['## Order of the parts', /^`app`/],
      line: filled('`modules/sample-items`'),
      numbered: true,
    },
    {
      file: 'docs/build/architecture.md',
      inside: ['flowchart BT', /^```$/],
      line: parent === undefined ? own.plural : `${own.plural} --> ${parent}`,
      is: (line) => line === own.plural || line.startsWith(`${own.plural} --> `),
    },
    {
      file: 'test/resources/index.ts',
      inside: imports,
      line: filled("import { sampleItems } from './sample-items.js';"),
    },
    {
      file: 'test/resources/index.ts',
      inside: ['RESOURCE_TESTS', /^\};$/],
      line: filled('sampleItems,'),
    },
    {
      file: 'console/src/app/router.ts',
      inside: imports,
      line: filled("import { sampleItemsRoutes } from '#console/pages/sample-items/routes';"),
    },
    {
      file: 'console/src/app/router.ts',
      inside: ['shellRoute.addChildren([', /^\]\),$/],
      line: filled('...sampleItemsRoutes,'),
    },
    {
      file: 'console/src/app/navigation.ts',
      inside: ['t.shell.groups.build', /^\],$/],
      line: filled("item('/sample-items', t.sampleItems.title, Wrench),"),
    },
    {
      file: 'console/src/texts/en.ts',
      inside: imports,
      line: filled("import { sampleItems } from './en/sample-items';"),
    },
    {
      file: 'console/src/texts/en.ts',
      inside: ['export const en = {', /^\};$/],
      line: filled('sampleItems,'),
    },
  ];
}

/** Adds the line at the end of a list; Prettier indents it and numbers the list. */
export function insertLine(text, { inside: [begin, end], line, numbered = false }) {
  const lines = text.split('\n');
  const first = lines.findIndex((other) => other.includes(begin));
  const last = lines.findIndex((other, index) => index > first && end.test(bare(other)));
  if (first < 0 || last < 0) throw new Error(`found no list that begins with ${begin} and ends with ${end}`);
  const indent = /^ */.exec(lines[last - 1])[0];
  return lines.toSpliced(last, 0, indent + (numbered ? `1. ${line}` : line)).join('\n');
}

/** Without the indentation and the number in a list. */
const bare = (line) => line.trim().replace(/^\d+\. /, '');

function templatesOf(root, kind) {
  return readdirSync(join(root, TEMPLATES), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, TEMPLATES).length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.includes(`${kind}-item`))
    .map((path) => ({ path, text: read(root, `${TEMPLATES}/${path}`) }));
}

function assertFree(root, own, files) {
  const paths = [`src/modules/${own.plural}`, ...files.map(({ path }) => path)];
  const taken = paths.find((path) => existsSync(join(root, path)));
  if (taken) throw new Refused(`${taken} exists already`);
  const table = fillIn('sample_items', 'sample', own);
  const creates = new RegExp(`CREATE TABLE ${table} `);
  const migration = migrationsOf(root).find(([, , path]) => creates.test(read(root, path)));
  if (migration) throw new Refused(`${migration[2]} creates a table ${table}`);
  for (const name of ['SampleItem', 'SampleItems'].map((template) => fillIn(template, 'sample', own))) {
    if (files.some(({ template }) => new RegExp(`\\b${name}\\b`).test(template))) {
      throw new Refused(`${name} means something else in the files of a module`);
    }
  }
}

/** A parent needs a service with a check of ownership and a not-found error. */
function assertParent(root, parent) {
  const wanted = [
    ['src/modules/sample-items/sample-items.service.ts', 'ownsSampleItem('],
    ['src/modules/sample-items/sample-items.errors.ts', 'class SampleItemNotFound '],
  ];
  for (const [file, text] of wanted.map((pair) => pair.map((part) => fillIn(part, 'sample', parent)))) {
    if (!existsSync(join(root, file)) || !read(root, file).includes(text)) {
      throw new Refused(`${parent.plural} cannot be a parent: ${file} has no ${text.replace(/\W+$/, '')}`);
    }
  }
}

/** [timestamp, name, path] of each. */
const migrationsOf = (root) =>
  readdirSync(join(root, MIGRATIONS))
    .map((file) => [...(/^(\d{14})-(.+)\.ts$/.exec(file)?.slice(1) ?? []), `${MIGRATIONS}/${file}`])
    .filter((parts) => parts.length === 3);

/** The current time, but after the newest migration: migrations run in the order of their numbers. */
function nextTimestamp(root, now) {
  const newest = Math.max(0, ...migrationsOf(root).map(([timestamp]) => Number(timestamp)));
  return String(Math.max(Number(now.toISOString().replace(/\D/g, '').slice(0, 14)), newest + 1));
}

const read = (root, path) => readFileSync(join(root, path), 'utf8');

async function write(root, path, text) {
  const prettier = await import('prettier'); // Installed by main().
  const file = join(root, path);
  const options = await prettier.resolveConfig(file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await prettier.format(text, { ...options, filepath: file }));
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      parent: { type: 'string' },
      singular: { type: 'string' },
      console: { type: 'boolean', default: false },
      remove: { type: 'boolean', default: false },
    },
  });
  const [name, ...rest] = positionals;
  if (!name || rest.length > 0 || (values.remove && values.parent !== undefined)) throw new Refused(USAGE);
  await prepare({ builds: false });
  const paths = await (values.remove ? removeModule : newModule)(ROOT, { name, ...values });
  for (const path of paths) console.log(`${values.remove ? 'deleted' : 'wrote'} ${path}`);
  if (!values.remove) {
    console.log(
      `\nnpm run docs:settings && npm run check\nnpm test -- test/${name} test/http/matrix test/operations/add-a-module.e2e.ts`,
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main();
  } catch (error) {
    const isUsage = error instanceof Refused || error.code?.startsWith('ERR_PARSE_ARGS');
    if (!isUsage) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
