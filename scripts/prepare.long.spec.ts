import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const PROJECT = process.cwd();

/** Prints its process id; exits with a code of its own on SIGTERM. */
const SERVICE = `
process.on('SIGTERM', () => process.exit(7));
const timer = setInterval(() => undefined, 1000);
if (process.argv[2] === 'once') clearInterval(timer);
console.log(['up', process.pid, ...process.argv.slice(2)].join(' '));
`;

interface Outcome {
  code: number | null;
  output: string;
  progress: string;
}

describe('start scripts', () => {
  let root: string;
  let children: ChildProcess[];
  let service: number | undefined;

  beforeEach(() => {
    children = [];
    root = mkdtempSync(join(tmpdir(), 'prepare-'));
    cpSync(join(PROJECT, 'scripts'), join(root, 'scripts'), { recursive: true });
    mkdirSync(join(root, 'node_modules'));
    for (const name of ['typescript', '@types', '@swc', 'esbuild', '@esbuild']) {
      symlinkSync(join(PROJECT, 'node_modules', name), join(root, 'node_modules', name));
    }
    write('package-lock.json', '{}');
    write('node_modules/.package-lock.json', '{}');
    write(
      'package.json',
      JSON.stringify({ type: 'module', scripts: { start: 'exec node scripts/run.mjs dist/src/main.js' } }),
    );
    for (const name of ['.swcrc', 'tsconfig.json', 'tsconfig.build.json'])
      cpSync(join(PROJECT, name), join(root, name));
    write('src/main.ts', SERVICE);
    write('widget/main.ts', 'export {};\n');
    write('src/other.ts', 'export const other = 1;\n');
  });

  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    if (service) process.kill(service, 'SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });

  it('build once, with a message on standard error', async () => {
    const first = await run('node', 'scripts/run.mjs', 'dist/src/main.js', 'once', '--json');
    expect(first).toEqual({
      code: 0,
      output: expect.stringMatching(/^up \d+ once --json\n$/),
      progress: expect.any(String),
    });
    const steps = ['building', 'building the widget'];
    expect(first.progress.replaceAll(/ [\d.]+ s$/gm, '')).toBe(steps.map((step) => `${step} ...\n`).join(''));
    expect((await run('node', 'scripts/prepare.mjs')).progress).toBe('');
  });

  it('build again after a change, and remove the output of deleted sources', async () => {
    await run('node', 'scripts/prepare.mjs');
    rmSync(join(root, 'src/other.ts'));
    expect((await run('node', 'scripts/prepare.mjs')).progress).toContain('building');
    expect(existsSync(join(root, 'dist/src/other.js'))).toBe(false);
    expect(existsSync(join(root, 'dist/src/main.js'))).toBe(true);
  });

  it('do not build after a change of a test', async () => {
    await run('node', 'scripts/prepare.mjs');
    write('src/main.spec.ts', 'not even a program');
    expect((await run('node', 'scripts/prepare.mjs')).progress).toBe('');
  });

  it('show the output of a failed compiler, exit with its code, and build again the next time', async () => {
    write('src/other.ts', 'export const other = ;\n');
    const failed = await run('node', 'scripts/run.mjs', 'dist/src/main.js', 'once');
    expect(failed).toEqual({ code: 1, output: '', progress: expect.stringContaining('src/other.ts:1') });
    write('src/other.ts', 'export const other = 2;\n');
    expect((await run('node', 'scripts/run.mjs', 'dist/src/main.js', 'once')).code).toBe(0);
  });

  it('build once when several start at the same time, also with a stale lock', async () => {
    const gone = spawn('true');
    await once(gone, 'exit');
    write('dist/.prepare.lock/pid', String(gone.pid));
    const outcomes = await Promise.all([1, 2, 3].map(() => run('node', 'scripts/prepare.mjs')));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(outcomes.filter(({ progress }) => progress.includes('building'))).toHaveLength(1);
  });

  it('end when npm ends, with the exit code of the service', async () => {
    const npm = start('npm', 'start', '--silent');
    await once(npm.stdout ?? npm, 'data');
    const ended = once(npm, 'exit');
    npm.kill('SIGTERM');
    expect(await ended).toEqual([7, null]);
  });

  it.each([
    ['npm is killed', 'SIGKILL', '/bin/sh'],
    ['the shell between npm and the script ends without forwarding the signal', 'SIGTERM', 'forking-shell'],
  ] as const)('end when %s', async (_case, signal, shell) => {
    write('forking-shell', '#!/bin/sh\n/bin/sh "$@"\nexit $?\n');
    chmodSync(join(root, 'forking-shell'), 0o755);
    const npm = start('npm', 'start', '--silent', `--script-shell=${resolve(root, shell)}`);
    const [first] = (await once(npm.stdout ?? npm, 'data')) as [Buffer];
    service = Number(String(first).split(' ')[1]);
    // 'close' is emitted when all processes that share the pipe have ended.
    const silent = once(npm.stdout ?? npm, 'close');
    npm.kill(signal);
    await expect(silent).resolves.toBeDefined();
    service = undefined;
  });

  function write(path: string, content: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }

  function start(command: string, ...args: string[]): ChildProcess {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const child = spawn(command === 'node' ? process.execPath : command, args, { cwd: root, env });
    children.push(child);
    return child;
  }

  async function run(command: string, ...args: string[]): Promise<Outcome> {
    const child = start(command, ...args);
    const [output, progress]: Buffer[][] = [[], []];
    child.stdout?.on('data', (chunk: Buffer) => output?.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => progress?.push(chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    return {
      code,
      output: Buffer.concat(output ?? []).toString(),
      progress: Buffer.concat(progress ?? []).toString(),
    };
  }
});
