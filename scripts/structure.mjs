/**
 * npm run check:structure — checks the rules of docs/build/architecture.md: order of the parts, restricted imports,
 * names of classes and files, number of dependencies of a class, tables used by a statement.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { sqlProblems } from './sql-tables.mjs';

/** A part imports only from parts above it in this list. */
export const ORDER = [
  'common',
  'http',
  'config',
  'database',
  'secrets',
  'embedded',
  'auth',
  'events',
  'queue',
  'health',
  'metrics',
  'modules/audit',
  'modules/media',
  'modules/telephony',
  'modules/catalog',
  'modules/llm',
  'modules/redaction',
  'modules/speech',
  'modules/accounts',
  'modules/retention',
  'modules/phone-numbers',
  'modules/tools',
  'modules/suppressions',
  'modules/groups',
  'modules/knowledge',
  'modules/assistants',
  'modules/model-watch',
  'modules/sms',
  'modules/recordings',
  'modules/calls',
  'modules/campaigns',
  'modules/leads',
  'modules/webhooks',
  'modules/dialer',
  'modules/campaign-reports',
  'modules/conversations',
  'modules/web-calls',
  'modules/chats',
  'modules/api-keys',
  'modules/personal-data',
  'pages',
  'process',
  'app',
  'cli',
];

/** Only files for which `by` is true may import `target`. */
const RESTRICTED = [
  {
    target: /^src\/modules\/([^/]+)\/(entities|dto\/[^/]+\.dto)/,
    by: (from, [, module]) => from.startsWith(`src/modules/${module}/`) || from.startsWith('src/cli/'),
    why: "another module's tables and request DTOs are its own; ask its service",
  },
  {
    target: /^src\/modules\/telephony\/twilio\//,
    by: (from) =>
      /^src\/modules\/telephony\/(twilio\/|telephony\.module\.ts|register-telephony\.ts)/.test(from),
    why: "the carrier's adapter is wired by telephony.module.ts and register-telephony.ts; use CarrierCalls, CarrierMessages, CarrierNumbers",
  },
  {
    target: /^tooling\/sandbox\//,
    by: (from) => from === 'src/process/runtime.ts',
    why: 'the sandbox is reached over its wire; runtime.ts starts it',
  },
  {
    target: /^(bull|@nestjs\/bull|ioredis)$/,
    by: (from) => /^src\/(queue|http\/rate-limit|cli\/doctor)\//.test(from),
    why: 'Bull and Redis are known to queue/; use JobQueue',
  },
];

const SUFFIXES = {
  service: 'Service',
  repository: 'Repository',
  processor: 'Processor',
  listener: 'Listener',
  controller: 'Controller',
  guard: 'Guard',
  interceptor: 'Interceptor',
  filter: 'Filter',
  pipe: 'Pipe',
  strategy: 'Strategy',
  module: 'Module',
};
const SUFFIX = new RegExp(`(${Object.values(SUFFIXES).join('|')})$`);

/** Maximum number of dependencies of a class. With more, a part of the class belongs elsewhere. */
const MAX_DEPENDENCIES = 7;

/**
 * @param {{path: string, text: string}[]} files of the service and the sandbox, `.ts` and `.sql`, without tests and
 *   test helpers
 * @returns {string[]} one line for each problem
 */
export function structureProblems(files) {
  const known = new Set(files.map(({ path }) => path));
  const sources = files.filter(({ path }) => path.endsWith('.ts'));
  return [
    ...sources.flatMap(({ path, text }) => [
      ...importProblems(path, text, known),
      ...(path.startsWith('src/') ? classProblems(path, text) : []),
    ]),
    ...sqlProblems(files),
  ];
}

function importProblems(path, text, known) {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles.flatMap(({ fileName }) => {
    const target = resolve(fileName, path, known);
    const problem = restriction(path, target) ?? upward(path, target);
    return problem ? [`${path} imports ${fileName}: ${problem}`] : [];
  });
}

/** Path relative to the root of the project; package names are returned unchanged. */
function resolve(specifier, from, known) {
  if (!/^(\.|#src\/)/.test(specifier)) return specifier;
  const path = specifier.startsWith('#src/')
    ? `src/${specifier.slice(5)}`
    : normalize(join(dirname(from), specifier)).replaceAll('\\', '/');
  const source = path.replace(/\.js$/, '.ts');
  return known.has(source) ? source : path;
}

function restriction(from, target) {
  for (const { target: pattern, by, why } of RESTRICTED) {
    const match = pattern.exec(target);
    if (match && !from.startsWith('tooling/sandbox/') && !by(from, match)) return why;
  }
  if (from.startsWith('tooling/sandbox/') && target.startsWith('src/'))
    return 'the sandbox shares the wire only';
  return null;
}

function upward(from, target) {
  const [lower, upper] = [partOf(from), partOf(target)];
  if (lower === null || upper === null || lower === upper) return null;
  const [own, other] = [ORDER.indexOf(lower), ORDER.indexOf(upper)];
  if (own < 0 || other < 0)
    return `${own < 0 ? lower : upper} has no place in the order of scripts/structure.mjs`;
  return other > own ? `${upper} stands above ${lower}` : null;
}

/** Null outside of `src`. Files directly in `src` belong to `app`, except main.ts, which may import commands. */
export function partOf(path) {
  const [top, first, second, ...rest] = path.split('/');
  if (top !== 'src') return null;
  if (first === 'main.ts') return 'cli';
  if (second === undefined) return 'app';
  return first === 'modules' && rest.length > 0 ? `modules/${second}` : first;
}

function classProblems(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const classes = source.statements.filter(ts.isClassDeclaration);
  return [...nameProblems(path, classes), ...dependencyProblems(path, classes.filter(isInjectable))];
}

function dependencyProblems(path, injectables) {
  return injectables.flatMap(({ name: { text: own }, members }) => {
    const count = members.find(ts.isConstructorDeclaration)?.parameters.length ?? 0;
    return count > MAX_DEPENDENCIES
      ? [`${path}: ${own} has ${count} dependencies, the limit is ${MAX_DEPENDENCIES}`]
      : [];
  });
}

function nameProblems(path, classes) {
  const name = path.slice(path.lastIndexOf('/') + 1, -'.ts'.length);
  const [, stem, role] = /^(.+)\.([a-z]+)$/.exec(name) ?? [];
  const wanted = role in SUFFIXES ? pascal(stem) + SUFFIXES[role] : null;
  const unnamed = classes.filter(
    (declaration) => isInjectable(declaration) && !SUFFIX.test(declaration.name.text),
  );
  return [
    ...(wanted && !classes.some(({ name: { text: own } }) => own.toLowerCase() === wanted.toLowerCase())
      ? [`${path} holds no class ${wanted}`]
      : []),
    ...unnamed.map(
      ({ name: { text: own } }) => `${path}: the injectable ${own} has none of the known suffixes`,
    ),
  ];
}

const pascal = (kebab) => kebab.replace(/(^|[-.])([a-z0-9])/g, (_, __, letter) => letter.toUpperCase());

const isInjectable = (declaration) =>
  (ts.getDecorators(declaration) ?? []).some(({ expression }) =>
    /^(Injectable|JobProcessor|Controller|Catch)\(/.test(expression.getText()),
  );

/** The numbered list under "Order of the parts" in docs/build/architecture.md. */
export function documentedOrder(markdown) {
  const [, section = ''] = markdown.split('## Order of the parts');
  return [...section.split('\n## ')[0].matchAll(/^\d+\. `([^`]+)`/gm)].map(([, part]) => part);
}

function readFiles(root) {
  return ['src', 'tooling/sandbox'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true })
      .map((name) => join(top, name).replaceAll('\\', '/'))
      .filter((path) => /\.(ts|sql)$/.test(path) && !/\.(spec|fake|d)\.ts$/.test(path))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const problems = structureProblems(readFiles(root));
  const documented = documentedOrder(readFileSync(join(root, 'docs', 'build', 'architecture.md'), 'utf8'));
  if (documented.join() !== ORDER.join()) {
    problems.push('docs/build/architecture.md lists another order of the parts than scripts/structure.mjs');
  }
  for (const part of ORDER.filter((name) => name !== 'app' && !existsSync(join(root, 'src', name)))) {
    problems.push(`scripts/structure.mjs lists ${part}, which does not exist`);
  }
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exit(1);
}
