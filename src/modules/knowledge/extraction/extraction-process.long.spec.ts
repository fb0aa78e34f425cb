import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspectProcess } from '#src/embedded/processes.js';
import { aPdfBomb } from './documents.fake.js';
import { EXTRACTION_LIMITS, ExtractionProcess } from './extraction-process.js';
import { ExtractionError } from './extracted-text.js';

/** A process has no transformer of TypeScript. */
const built = (file: string): URL =>
  new URL(`../../../../dist/src/modules/knowledge/extraction/${file}`, import.meta.url);
const CHILD = built('extraction.child.js');
const MEGABYTE = 1024 * 1024;
const LOOP = 'for (;;);';
const OBJECTS = 'const all = []; for (;;) all.push({});';
const BYTES = `const all = []; for (;;) all.push(Buffer.alloc(${MEGABYTE}, 1));`;
const TOO_MUCH_MEMORY = 'The document needs too much memory.';
const INTERRUPTED = 'The reading of the document was interrupted.';

let folder: string;
let reading: ExtractionProcess;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'extraction-'));
});
afterEach(async () => {
  reading.close();
  await rm(folder, { recursive: true });
});

const reader = (limits = {}, file = CHILD, proc = '/proc'): ExtractionProcess =>
  new ExtractionProcess({ ...EXTRACTION_LIMITS, ...limits }, file, proc);

async function aFile(bytes: Uint8Array | string, name = 'file'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}
const aTask = async (text: string) => ({ type: 'txt' as const, path: await aFile(text, 'text') });

const pidFile = (): string => join(folder, 'pid');
const childPid = async (): Promise<number> => {
  while (!existsSync(pidFile()) || !(await readFile(pidFile(), 'utf8'))) await sleep(10);
  return Number(await readFile(pidFile(), 'utf8'));
};
async function untilEnded(pid: number): Promise<void> {
  while (inspectProcess(pid)) await sleep(10);
}
/** A process that does something else when it starts for the first time. */
async function failingOnce(failure: string): Promise<URL> {
  const script = `import { existsSync, writeFileSync } from 'node:fs';
    import { startProcessGuard } from ${JSON.stringify(built('process-guard.js').href)};
    if (!existsSync(${JSON.stringify(pidFile())})) {
      startProcessGuard(process.argv.slice(2));
      writeFileSync(${JSON.stringify(pidFile())}, String(process.pid));
      ${failure}
    }
    await import(${JSON.stringify(CHILD.href)});`;
  return pathToFileURL(await aFile(script, 'failing-once.mjs'));
}

/** What a task costs the process that waits for it. */
async function costOf(work: () => Promise<unknown>): Promise<{ growthMb: number; turns: number }> {
  const before = process.memoryUsage.rss();
  let [most, turns] = [before, 0];
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
    turns++;
  }, 5);
  await work();
  clearInterval(timer);
  return { growthMb: (most - before) / MEGABYTE, turns };
}

describe('ExtractionProcess', () => {
  it('returns all chunks of a long text in order', async () => {
    reading = reader();
    const text = Array.from({ length: 40_000 }, (_, index) => `Paragraph ${index} is here.\n\n`).join('');
    const { chunks } = await reading.run(await aTask(text));
    expect(chunks.map((chunk) => chunk.text).join('\n\n')).toBe(text.trim());
  });

  it('tells a reason for people, and no path', async () => {
    reading = reader();
    const gone = reading.run({ type: 'txt', path: join(folder, 'gone') });
    await expect(gone).rejects.toThrow('The document is damaged and cannot be read.');
  });

  it.each([
    ['objects without end', OBJECTS, { heapMb: 64 }, '/proc', TOO_MUCH_MEMORY],
    ['bytes without end', BYTES, { memoryMb: 300 }, '/proc', TOO_MUCH_MEMORY],
    ['bytes without end where there is no /proc', BYTES, { memoryMb: 300 }, '/none', TOO_MUCH_MEMORY],
    ['a loop without end', LOOP, { timeMs: 10_000 }, '/proc', 'The document was not read within 10 seconds.'],
    ['a crash at the start', 'throw new Error("no memory for a start");', {}, '/proc', INTERRUPTED],
    ['an end at the start', 'process.exit(0);', {}, '/proc', INTERRUPTED],
  ])('fails the document of %s only', async (_, failure, limits, proc, reason) => {
    reading = reader(limits, await failingOnce(failure), proc);
    const task = await aTask('text');
    const { growthMb, turns } = await costOf(() =>
      expect(reading.run(task)).rejects.toThrow(new ExtractionError(reason)),
    );
    expect(growthMb).toBeLessThan(100);
    expect(turns).toBeGreaterThan(1);
    await untilEnded(await childPid());
    expect((await reading.run(task)).chunks).toHaveLength(1);
  });

  it('fails the document whose process is killed from outside only', async () => {
    reading = reader({}, await failingOnce(LOOP));
    const task = await aTask('text');
    const failure = reading.run(task).catch((error: unknown) => error);
    process.kill(await childPid(), 'SIGKILL');
    expect(await failure).toEqual(new ExtractionError(INTERRUPTED));
    expect((await reading.run(task)).chunks).toHaveLength(1);
  });

  it('fails a PDF and a text that need too much memory only', async () => {
    reading = reader({ memoryMb: 200 });
    const tasks = [
      { type: 'pdf' as const, path: await aFile(aPdfBomb(400), 'bomb') },
      { type: 'txt' as const, path: await aFile('a b\n\n'.repeat(3_000_000), 'long') },
    ];
    for (const task of tasks) {
      const { growthMb, turns } = await costOf(() =>
        expect(reading.run(task)).rejects.toThrow(TOO_MUCH_MEMORY),
      );
      expect(growthMb).toBeLessThan(100);
      expect(turns).toBeGreaterThan(1);
    }
    expect((await reading.run(await aTask('text'))).chunks).toHaveLength(1);
  });

  it('lets the next task wait for its turn only, not for the end of a long one', async () => {
    reading = reader({ turnMs: 300 }, await failingOnce(LOOP));
    const task = await aTask('text');
    const long = reading.run(task).catch((error: unknown) => error);
    const other = reader();
    try {
      expect((await other.run(task)).chunks).toHaveLength(1);
      expect(inspectProcess(await childPid())).not.toBeNull();
    } finally {
      other.close();
      reading.close();
    }
    expect(await long).toEqual(new ExtractionError(INTERRUPTED));
  });

  it('has an empty environment', async () => {
    const names = join(folder, 'names');
    const failure = `writeFileSync(${JSON.stringify(names)}, Object.keys(process.env).join()); process.exit();`;
    reading = reader({}, await failingOnce(failure));
    await expect(reading.run(await aTask('text'))).rejects.toThrow(INTERRUPTED);
    expect(await readFile(names, 'utf8')).toBe('');
  });

  it('ends in the middle of its work when its parent is killed', async () => {
    reading = reader();
    const task = await aTask('text');
    const script = `import { ExtractionProcess, EXTRACTION_LIMITS } from ${JSON.stringify(built('extraction-process.js').href)};
      const file = new URL(${JSON.stringify((await failingOnce(LOOP)).href)});
      await new ExtractionProcess(EXTRACTION_LIMITS, file).run(${JSON.stringify(task)});`;
    const parent = spawn(process.execPath, [await aFile(script, 'parent.mjs')], { stdio: 'ignore' });
    const pid = await childPid();
    expect(inspectProcess(pid)).not.toBeNull();
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await untilEnded(pid);
  });
});
