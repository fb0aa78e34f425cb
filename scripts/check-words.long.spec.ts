import { describe, expect, it } from '@jest/globals';
// @ts-expect-error The scripts run without a build and are plain JavaScript.
import * as words from './check-words.mjs';

type Check = (file: { path: string; text: string }) => string[];
const { wordProblems, nameProblems, pageProblems } = words as unknown as Record<
  'wordProblems' | 'nameProblems' | 'pageProblems',
  Check
>;

describe('npm run check:words', () => {
  it.each([
    ['a comment', 'src/a.ts', 'const a = 1;\n/** Keeps what it was told. */'],
    ['a comment of one line', 'src/a.ts', 'const a = 1;\n// Keeps what it was told.'],
    ['a wrapped comment', 'src/a.ts', 'const a = 1;\n/** Keeps what it\n * was told. */'],
    ['a log message', 'src/a.ts', "const a = 1;\nlogger.warn('The carrier was told of it')"],
    ['a title of a test', 'test/a.e2e.ts', "const a = 1;\nit('keeps what it was told', run)"],
    ['a document', 'docs/use/a.md', '# A\nIt keeps what it was told.'],
  ])('refuses a phrase in %s', (_what, path, text) => {
    expect(wordProblems({ path, text })[0]).toMatch(new RegExp(`^${path.replace('.', '\\.')}:2 .*was told`));
  });

  it.each([
    ['the code', 'src/a.ts', 'const text = `what it was told`;'],
    ['the terms, which name it', 'docs/GLOSSARY.md', 'not: what it was told'],
  ])('ignores %s', (_what, path, text) => {
    expect(wordProblems({ path, text })).toEqual([]);
  });

  it.each([
    ['a class', 'export class ToldCalls {}', 'ToldCalls'],
    ['a constant', 'export const ASKED_AT = 1;', 'ASKED_AT'],
    ['a public method', 'export class Recorder { hurry(): void {} }', 'Recorder.hurry'],
    ['a whole name', 'export interface Row { id: number }', 'Row'],
  ])('refuses a word in the name of %s', (_what, text, name) => {
    const problems = nameProblems({ path: 'src/a.ts', text: `const a = 1;\n${text}` });
    expect(problems).toEqual([expect.stringContaining(`src/a.ts:2 "${name}": write `)]);
  });

  it.each([
    ['a name with a part of such a word', 'export const unforetold = 1; export class RowReader {}'],
    ['a private method', 'export class Recorder { private hurry(): void {} }'],
    ['a local name', 'const told = 1; export class Recorder { run(): void {} }'],
  ])('accepts %s', (_what, text) => {
    expect(nameProblems({ path: 'src/a.ts', text })).toEqual([]);
  });

  it('refuses a table cell over 300 characters, and a long page', () => {
    const page = (text: string): string[] => pageProblems({ path: 'docs/a.md', text });
    expect(page(`| a | ${'b'.repeat(300)} |`)).toEqual([]);
    expect(page(`| a | ${'b'.repeat(301)} |`)).toEqual(['docs/a.md:1 has a table cell of 301 characters']);
    expect(page('a'.repeat(25_001))).toHaveLength(1);
    expect(pageProblems({ path: 'README.md', text: 'a'.repeat(8_001) })).toHaveLength(1);
  });
});
