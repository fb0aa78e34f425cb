import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirInUseError, lockDataDir } from './data-dir-lock.js';
import { currentProcess, processRefOf } from './processes.js';

describe('lockDataDir', () => {
  let base: string;
  let dataDir: string;
  let pidFile: string;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'data-dir-lock-'));
    dataDir = join(base, 'not', 'there', 'yet');
    pidFile = join(dataDir, 'service.pid');
  });

  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('refuses a second holder by name until the first one releases it', () => {
    const first = lockDataDir(dataDir);
    expect(() => lockDataDir(dataDir)).toThrow(DataDirInUseError);
    expect(() => lockDataDir(dataDir)).toThrow(`${dataDir} is in use by process ${process.pid}`);
    first.release();
    expect(existsSync(pidFile)).toBe(false);
    lockDataDir(dataDir).release();
  });

  it('takes over the lock of a process that has ended, and refuses others while that process runs', async () => {
    lockDataDir(dataDir).release();
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(holder, 'spawn');
    writeFileSync(pidFile, JSON.stringify(processRefOf(holder.pid ?? 0)));
    expect(() => lockDataDir(dataDir)).toThrow(`process ${holder.pid}`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const lock = lockDataDir(dataDir);
    expect(JSON.parse(readFileSync(pidFile, 'utf8'))).toEqual(currentProcess());
    lock.release();
  });

  it('takes over a lock whose process id now belongs to another process', () => {
    lockDataDir(dataDir).release();
    writeFileSync(
      pidFile,
      JSON.stringify({ pid: process.ppid, startedAt: 'before the machine was restarted' }),
    );
    lockDataDir(dataDir).release();
  });

  it('replaces a file that is not a lock', () => {
    lockDataDir(dataDir).release();
    writeFileSync(pidFile, '');
    lockDataDir(dataDir).release();
  });
});
