import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, type ProcessRef } from './process-info.js';

/** One rung of a ladder of signals: what is sent, and how long (milliseconds) the process may then take. */
export interface StopStep {
  signal: NodeJS.Signals;
  waitMs: number;
}

const POLL_MS = 20;

/** Stops a process step by step, also one that is not our child. Throws when it outlives the last step. */
export async function stopProcess(ref: ProcessRef, steps: readonly StopStep[]): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isAlive(ref)) return;
    sendSignal(ref.pid, signal);
    const deadline = Date.now() + waitMs;
    while (isAlive(ref) && Date.now() < deadline) await sleep(POLL_MS);
  }
  if (isAlive(ref)) throw new Error(`Process ${ref.pid} cannot be stopped.`);
}

/** A process that has just ended is no error: it is what a signal is sent for. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
