import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspectProcess, type ProcessRef } from './process-info.js';

/** Lines of `postmaster.pid`, counted from 0: Postgres, src/include/utils/pidfile.h. */
const LINE_PID = 0;
const LINE_STATUS = 7;

/** The server that runs on this directory, whoever started it; null when there is none. */
export function findPostmaster(dataPath: string): ProcessRef | null {
  const found = inspectNamed(dataPath);
  const isOurs = found?.command.includes('postgres') && found.command.includes(dataPath);
  return found && isOurs ? { pid: found.pid, startedAt: found.startedAt } : null;
}

export function isPostmasterReady(dataPath: string, pid: number): boolean {
  const lines = readLines(dataPath);
  return Number(lines[LINE_PID]) === pid && lines[LINE_STATUS]?.trim() === 'ready';
}

/**
 * After a restart of the machine or the container the number may belong to anybody, and Postgres refuses to start for
 * that. Where it might belong to a Postgres the file stays: two servers on one directory destroy it.
 */
export function removeStalePidFile(dataPath: string): void {
  if (inspectNamed(dataPath)?.command.includes('postgres')) return;
  rmSync(join(dataPath, 'postmaster.pid'), { force: true });
}

function inspectNamed(dataPath: string): ReturnType<typeof inspectProcess> {
  const pid = Number(readLines(dataPath)[LINE_PID]);
  return Number.isInteger(pid) && pid > 0 ? inspectProcess(pid) : null;
}

function readLines(dataPath: string): string[] {
  try {
    return readFileSync(join(dataPath, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
