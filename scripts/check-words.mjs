/**
 * npm run check:words — refuses the phrases of scripts/words.json in comments and messages of src, in titles of tests
 * and in the documents, a table cell over 300 characters, and a page over 25 kB. docs/GLOSSARY.md has the terms.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..');
const LONGEST_CELL = 300;
const LONGEST_PAGE = 25_000;
const LONGEST_README = 8_000;
/** Written by `npm run bench`. */
const LONGER_PAGES = ['docs/BENCHMARKS.md'];
/** Names what is refused. */
const NAMES_THEM = ['docs/GLOSSARY.md'];

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;
const LOG_MESSAGE = /\b(?:log|warn|error|debug|fatal)\(\s*(?:'[^'\n]*'|`[^`]*`|"[^"\n]*")/g;
const TITLE = /\b(?:it|test|describe)(?:\.each\([\s\S]*?\))?\(\s*(?:'[^'\n]*'|`[^`]*`|"[^"\n]*")/g;

const { refused } = JSON.parse(readFileSync(join(ROOT, 'scripts', 'words.json'), 'utf8'));
const REFUSED = refused.map(({ pattern, write }) => ({
  pattern: new RegExp(pattern.replaceAll(' ', ' +'), 'gi'),
  write,
}));

/** Line breaks of a comment, with the stars that begin its lines, are blanks: a phrase may be wrapped. */
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

/** @returns what is too long on a page */
export function pageProblems({ path, text }) {
  const size = Buffer.byteLength(text);
  const most = path === 'README.md' ? LONGEST_README : LONGEST_PAGE;
  const isTooLong = size > most && !LONGER_PAGES.includes(path) && path !== 'CHANGELOG.md';
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
    ...pages.flatMap((path) => pageProblems(read(path))),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
