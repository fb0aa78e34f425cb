import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Identifies a process: process ids alone are reused, above all in containers. */
export interface ProcessRef {
  pid: number;
  /** Opaque; equal for the same process only. Empty where the platform does not report it. */
  startedAt: string;
}

interface ProcessInfo extends ProcessRef {
  command: string;
}

/** The process with this id; null when there is none, or only a zombie whose parent has not collected it. */
export function inspectProcess(pid: number): ProcessInfo | null {
  if (!isSignalable(pid)) return null;
  if (existsSync('/proc/self/stat')) return inspectThroughProc(pid);
  return process.platform === 'win32' ? { pid, startedAt: '', command: '' } : inspectThroughPs(pid);
}

export function currentProcess(): ProcessRef {
  return processRefOf(process.pid);
}

export function processRefOf(pid: number): ProcessRef {
  return { pid, startedAt: inspectProcess(pid)?.startedAt ?? '' };
}

export function isAlive(ref: ProcessRef): boolean {
  return inspectProcess(ref.pid)?.startedAt === ref.startedAt;
}

function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** proc(5): field 2 of `stat` may hold spaces and brackets, so fields are counted behind its last bracket. */
function inspectThroughProc(pid: number): ProcessInfo | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticksSinceBoot] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X') return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, startedAt: `${boot}/${ticksSinceBoot}`, command };
  } catch {
    return null; // It ended before its files were read.
  }
}

function inspectThroughPs(pid: number): ProcessInfo | null {
  try {
    const columns = ['-o', 'stat=', '-o', 'lstart=', '-o', 'command=', '-p', String(pid)];
    const line = execFileSync('ps', columns, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
    const match = /^(\S+)\s+(\w+ +\w+ +\d+ +[\d:]+ +\d+) +(.*)$/.exec(line.trim());
    if (!match || match[1]?.startsWith('Z')) return null;
    return { pid, startedAt: match[2] ?? '', command: match[3] ?? '' };
  } catch {
    return null; // ps ends with an error when there is no such process.
  }
}

/** A signal, and how many milliseconds the process may take to end after it. */
export interface StopStep {
  signal: NodeJS.Signals;
  waitMs: number;
}

const POLL_MS = 20;

/**
 * Sends the signals of `steps` until the process ends; it need not be a child. @throws when it is alive after the last
 */
export async function stopProcess(ref: ProcessRef, steps: readonly StopStep[]): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isAlive(ref)) return;
    sendSignal(ref.pid, signal);
    const deadline = Date.now() + waitMs;
    while (isAlive(ref) && Date.now() < deadline) await sleep(POLL_MS);
  }
  if (isAlive(ref)) throw new Error(`Process ${ref.pid} cannot be stopped.`);
}

/** A process that has already ended is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
