import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = process.cwd();
const FORMATTED = 'export const a = 1;\n';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hook-'));
  git('init', '--quiet');
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  for (const name of ['.githooks', '.prettierrc.json', '.oxlintrc.json']) {
    cpSync(join(PROJECT, name), join(root, name), { recursive: true });
  }
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Without git's variables: in a hook they refer to the repository of the running commit. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
const git = (...args: string[]) => spawnSync('git', args, { cwd: root, env });
const hook = (): number | null => spawnSync('bash', ['.githooks/pre-commit'], { cwd: root, env }).status;

it.each([
  ['is formatted', 'a.ts', FORMATTED, 0],
  ['is not formatted', 'a.ts', 'export const a=1', 1],
  ['breaks a lint rule', 'a.ts', `export const isOne = (a: number): boolean => a == 1;\n`, 1],
  ['prettier does not know', 'a.bin', 'a  b', 0],
])('the pre-commit hook judges a staged file that %s', (_, name, text, code) => {
  writeFileSync(join(root, name), text);
  git('add', name);
  expect(hook()).toBe(code);
});

it('the pre-commit hook ignores files that are not staged', () => {
  writeFileSync(join(root, 'staged.ts'), FORMATTED);
  writeFileSync(join(root, 'other.ts'), 'export const a=1');
  git('add', 'staged.ts');
  expect(hook()).toBe(0);
});
