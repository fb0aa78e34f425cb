import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPdfBomb, aThread } from './documents.fake.js';
import type { ExtractionThread } from './extraction-thread.js';
import { ExtractionError } from './extracted-text.js';

describe('ExtractionThread', () => {
  let folder: string;
  let thread: ExtractionThread;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'extraction-'));
  });
  afterEach(async () => {
    await thread.close();
    await rm(folder, { recursive: true });
  });

  const aFile = async (bytes: Uint8Array | string): Promise<string> => {
    const path = join(folder, 'file');
    await writeFile(path, bytes);
    return path;
  };
  const aTask = async (text: string) => ({ type: 'txt' as const, path: await aFile(text) });

  it('returns all chunks of a long text in order', async () => {
    thread = aThread();
    const text = Array.from({ length: 40_000 }, (_, index) => `Paragraph ${index} is here.\n\n`).join('');
    const { chunks } = await thread.run(await aTask(text));
    expect(chunks.map((chunk) => chunk.text).join('\n\n')).toBe(text.trim());
  });

  it('ends a task that takes too long with a reason, and does the next one', async () => {
    thread = aThread({ timeMs: 1 });
    await expect(thread.run(await aTask('text'))).rejects.toThrow('not read within 1 seconds');
    thread = aThread();
    expect((await thread.run(await aTask('text'))).chunks).toHaveLength(1);
  });

  it('ends a task whose objects need too much memory', async () => {
    thread = aThread({ growthMb: 50 });
    const text = 'a b\n\n'.repeat(3_000_000);
    await expect(thread.run(await aTask(text))).rejects.toThrow('needs too much memory');
    await thread.close();
    thread = aThread();
    expect((await thread.run(await aTask('text'))).chunks).toHaveLength(1);
  });

  it('ends a PDF that unpacks to gigabytes', async () => {
    thread = aThread({ growthMb: 200 });
    const path = await aFile(aPdfBomb(400));
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    await expect(thread.run({ type: 'pdf', path })).rejects.toBeInstanceOf(ExtractionError);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  it('tells a reason for people, and no path', async () => {
    thread = aThread();
    const gone = thread.run({ type: 'txt', path: join(folder, 'gone') });
    await expect(gone).rejects.toThrow('The document is damaged and cannot be read.');
  });
});
