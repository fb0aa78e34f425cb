/**
 * A thread beside the work of a child process, which may be in a loop without end: it ends the process when its parent
 * is gone, and, where the parent cannot read it from the system, at a limit of memory.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Tells the parent why the process ended. */
export const OUT_OF_MEMORY_SIGNAL = 'SIGUSR2';

interface Guarded {
  parent: number;
  /** Null: the parent checks it. */
  memoryMb: number | null;
}

const THIS_FILE = new URL(import.meta.url);
const CHECK_MS = 20;
const MEGABYTE = 1024 * 1024;

/** @param args of the process: the id of its parent and the limit of its memory */
export function startProcessGuard([parent, memoryMb]: readonly string[]): void {
  const guarded: Guarded = { parent: Number(parent), memoryMb: memoryMb ? Number(memoryMb) : null };
  new Worker(THIS_FILE, { workerData: { guarded } }).unref();
}

function guard({ parent, memoryMb }: Guarded): void {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    else if (memoryMb !== null && process.memoryUsage.rss() > memoryMb * MEGABYTE)
      process.kill(process.pid, OUT_OF_MEMORY_SIGNAL);
  }, CHECK_MS);
}

const { guarded } = (workerData ?? {}) as { guarded?: Guarded };
if (!isMainThread && guarded) guard(guarded);
