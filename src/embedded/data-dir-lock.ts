import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readPrivateFile, writePrivateFile } from './runtime-record.js';
import { currentProcess, isAlive, type ProcessRef } from './processes.js';

export interface DataDirLock {
  release(): void;
}

/** Another living process works in this data directory. */
export class DataDirInUseError extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `The data directory ${dataDir} is in use by process ${pid}. ` +
        'Stop that process, or set DATA_DIR to a directory of its own.',
    );
    this.name = 'DataDirInUseError';
  }
}

/**
 * Makes this process the only one that works in `dataDir`, which is created when missing.
 * A lock whose process is dead (kill -9, power cut) is taken over.
 *
 * @throws DataDirInUseError while another process holds it
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const dir = resolve(dataDir);
  const path = join(dir, 'service.pid');
  mkdirSync(dir, { recursive: true });
  const claim = `${path}.${process.pid}`;
  writePrivateFile(claim, JSON.stringify(currentProcess()));
  try {
    while (!tryLink(claim, path)) removeIfStale(path, dir);
  } finally {
    rmSync(claim, { force: true });
  }
  const release = (): void => {
    process.removeListener('exit', release);
    if (readOwner(path)?.pid === process.pid) rmSync(path, { force: true });
  };
  process.once('exit', release);
  return { release };
}

/** A hard link appears with its content in one step, and only for one of several who try. */
function tryLink(claim: string, path: string): boolean {
  try {
    linkSync(claim, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeIfStale(path: string, dir: string): void {
  const owner = readOwner(path);
  if (owner && isAlive(owner)) throw new DataDirInUseError(dir, owner.pid);
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  // Another process may have replaced the stale lock before the rename: its lock is put back.
  const removed = readOwner(aside);
  if (removed && isAlive(removed)) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function readOwner(path: string): ProcessRef | null {
  const content = readPrivateFile(path);
  if (content === null) return null;
  try {
    return JSON.parse(content) as ProcessRef;
  } catch {
    return null; // Not a lock of this service.
  }
}
