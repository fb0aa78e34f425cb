import { readdirSync, readFileSync } from 'node:fs';

const CLOCK_TICK_MS = 10;

/** CPU time of all threads of another process, from proc(5); Linux only. */
export class CpuMeter {
  constructor(private readonly pid: number) {}

  /** CPU milliseconds since the start of the process. */
  read(): number {
    const tasks = `/proc/${this.pid}/task`;
    let nanoseconds = 0;
    for (const thread of readdirSync(tasks)) nanoseconds += onCpu(`${tasks}/${thread}/schedstat`);
    return nanoseconds / 1e6;
  }
}

/** CPU time of a server and of its child processes, including ended ones. */
export class CpuTreeMeter {
  constructor(private readonly pid: number) {}

  /** CPU milliseconds. */
  read(): number {
    const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === this.pid);
    const running = [this.pid, ...children.map(Number)].reduce((sum, pid) => sum + readOrNothing(pid), 0);
    const [ended = 0, endedInKernel = 0] = statOf(this.pid).slice(13, 15).map(Number);
    return running + (ended + endedInKernel) * CLOCK_TICK_MS;
  }
}

/** Null: the process has ended. */
export function parentOf(pid: number | string): number | null {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    return null;
  }
}

/** The fields after the name, which may contain spaces. */
function statOf(pid: number | string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readOrNothing(pid: number): number {
  try {
    return new CpuMeter(pid).read();
  } catch {
    return 0;
  }
}

/** Milliseconds since its start for which the main thread of a process was runnable and no processor was free. */
export const waitedForCpuMs = (pid: number): number =>
  schedstat(`/proc/${pid}/task/${pid}/schedstat`, 1) / 1e6;

const onCpu = (path: string): number => schedstat(path, 0);

/** Returns 0 for a thread that has ended. */
function schedstat(path: string, field: 0 | 1): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[field]);
  } catch {
    return 0;
  }
}
