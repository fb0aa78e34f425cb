import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = process.cwd();

const service = (version: number): string => `
process.on('SIGTERM', () => {
  console.log('stopped ${version}');
  process.exit();
});
setInterval(() => undefined, 1000);
console.log('up ${version}');
`;

/** The service applies such files at its start. */
const SQL = 'src/modules/a/sql/one.sql';

let root: string;
let dev: ChildProcess | undefined;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dev-'));
  cpSync(join(PROJECT, 'scripts'), join(root, 'scripts'), { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  for (const name of ['typescript', '@types', '@swc', 'esbuild', '@esbuild']) {
    symlinkSync(join(PROJECT, 'node_modules', name), join(root, 'node_modules', name));
  }
  for (const name of ['.swcrc', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(PROJECT, name), join(root, name));
  for (const name of ['src', 'widget']) mkdirSync(join(root, name));
  write('widget/main.ts', 'export {};\n');
  write('package.json', '{"type":"module"}');
  write('package-lock.json', '{}');
  write('node_modules/.package-lock.json', '{}');
  write('src/main.ts', service(1));
  mkdirSync(join(root, 'src/modules/a/sql'), { recursive: true });
  write(SQL, 'SELECT 1;\n');
});

afterEach(async () => {
  if (dev?.exitCode === null) {
    // Not SIGKILL: the process has to end its compiler and its service.
    dev.kill('SIGTERM');
    await once(dev, 'exit');
  }
  rmSync(root, { recursive: true, force: true });
});

const write = (path: string, text: string) => writeFileSync(join(root, path), text);

it('npm run dev restarts the service after a change that compiles, and ends it on a signal', async () => {
  const child = spawn(process.execPath, ['scripts/dev.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  dev = child;
  // Not `exit`: the last output may still be unread then.
  const exited = once(child, 'close');
  let output = '';
  const seen = async (text: string): Promise<void> => {
    while (!output.includes(text))
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  }
  await seen('up 1');
  write('src/main.ts', 'export const wrong: number = "text";');
  await seen('Found 1 error');
  expect(output).not.toContain('stopped 1');
  write('src/main.ts', service(2));
  await seen('up 2');
  expect(output).toMatch(/stopped 1[^]*up 2/);
  write('widget/main.ts', 'console.log(2);\n');
  await seen('stopped 2');
  output = output.replace('up 2', '').replace('stopped 2', '');
  await seen('up 2');
  output = output.replace('up 2', '').replace('stopped 2', '');
  write(SQL, 'SELECT 2;\n');
  await seen('up 2');
  expect(readFileSync(join(root, 'dist', SQL), 'utf8')).toBe('SELECT 2;\n');
  child.kill('SIGTERM');
  expect((await exited)[0]).toBe(0);
  expect(output).toContain('stopped 2');
});
