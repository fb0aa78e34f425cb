/**
 * npm run check:words — refuses the phrases of scripts/words.json in comments and messages of src, in titles of tests
 * and in the documents, its words in exported names of src, a table cell over 300 characters, and a page over 25 kB.
 * docs/GLOSSARY.md has the terms.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportedNames, sourceFiles } from './names.mjs';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..');
const LONGEST_CELL = 300;
const LONGEST_PAGE = 25_000;
const LONGEST_README = 8_000;
/** Pages that list the refused phrases. */
const NAMES_THEM = ['docs/GLOSSARY.md'];

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;
const LOG_MESSAGE = /\b(?:log|warn|error|debug|fatal)\(\s*(?:'[^'\n]*'|`[^`]*`|"[^"\n]*")/g;
const TITLE = /\b(?:it|test|describe)(?:\.each\([\s\S]*?\))?\(\s*(?:'[^'\n]*'|`[^`]*`|"[^"\n]*")/g;

const { refused, inNames, asNames } = JSON.parse(readFileSync(join(ROOT, 'scripts', 'words.json'), 'utf8'));
const REFUSED = refused.map(({ pattern, write }) => ({
  pattern: new RegExp(pattern.replaceAll(' ', ' +'), 'gi'),
  write,
}));

const listed = (words) => words.split(', ');
const WORDS_OF_NAMES = new Map(
  Object.entries(inNames).flatMap(([words, write]) => listed(words).map((word) => [word, write])),
);
const WHOLE_NAMES = new Set(listed(asNames));

/** Line breaks of a comment, with the stars at the beginning of its lines, become blanks: a phrase may be wrapped. */
const unwrap = (text) => text.replace(/\n\s*\*?/g, (gap) => ' '.repeat(gap.length));

/** @returns `path:line phrase` of each refused phrase */
export function wordProblems({ path, text }) {
  return checkedParts(path, text).flatMap(({ index, part }) =>
    REFUSED.flatMap(({ pattern, write }) =>
      [...unwrap(part).matchAll(pattern)].map((match) => {
        const line = text.slice(0, index + match.index).split('\n').length;
        return `${path}:${line} "${match[0]}": write "${write}"`;
      }),
    ),
  );
}

function checkedParts(path, text) {
  if (path.endsWith('.md')) return NAMES_THEM.includes(path) ? [] : [{ index: 0, part: text }];
  const patterns = /\.(spec|e2e|browser)\.ts$/.test(path) ? [TITLE] : [COMMENT, LOG_MESSAGE];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: part }) => ({ index, part })),
  );
}

const wordsOf = (name) => name.match(/[A-Z]?[a-z\d]+|[A-Z\d]+(?![a-z])/g) ?? [];

/** @returns `path:line name` of each exported name or public method with a refused word */
export function nameProblems({ path, text }) {
  return exportedNames({ path, text }).flatMap(({ name, line, members }) => {
    const whole = WHOLE_NAMES.has(name) ? [`${path}:${line} "${name}": write a name with the thing`] : [];
    const words = [name, ...members.map((member) => `${name}.${member}`)].flatMap((qualified) =>
      wordsOf(qualified.split('.').at(-1)).flatMap((word) => {
        const write = WORDS_OF_NAMES.get(word.toLowerCase());
        return write === undefined ? [] : [`${path}:${line} "${qualified}": write "${write}"`];
      }),
    );
    return [...whole, ...words];
  });
}

/** @returns a problem for each limit of a page that is exceeded */
export function pageProblems({ path, text }) {
  const size = Buffer.byteLength(text);
  const most = path === 'README.md' ? LONGEST_README : LONGEST_PAGE;
  const isTooLong = size > most && path !== 'CHANGELOG.md';
  const cells = text.split('\n').flatMap((line, index) =>
    line.startsWith('|')
      ? line
          .split(/(?<!\\)\|/)
          .filter((cell) => cell.trim().length > LONGEST_CELL)
          .map((cell) => `${path}:${index + 1} has a table cell of ${cell.trim().length} characters`)
      : [],
  );
  return [...(isTooLong ? [`${path} has ${size} bytes, at most ${most} are readable`] : []), ...cells];
}

function filesIn(folder, ending) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + (ROOT.endsWith('/') ? 0 : 1)))
    .filter((path) => !path.includes('node_modules') && !path.includes('.vitepress'))
    .map((path) => path.replaceAll('\\', '/'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const top = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  const pages = [...top.filter((path) => existsSync(join(ROOT, path))), ...filesIn('docs', /\.md$/)];
  const sources = ['src', 'test'].flatMap((folder) => filesIn(folder, /\.ts$/));
  const read = (path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });
  const problems = [
    ...[...pages, ...sources].flatMap((path) => wordProblems(read(path))),
    ...sourceFiles(ROOT, 'src').flatMap(nameProblems),
    ...pages.flatMap((path) => pageProblems(read(path))),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
