import { readdirSync, readFileSync } from 'node:fs';

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

/** CPU time of a server and of the processes that it has started and that still run. */
export class CpuTreeMeter {
  constructor(private readonly pid: number) {}

  /** CPU milliseconds. */
  read(): number {
    const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === this.pid);
    return [this.pid, ...children.map(Number)].reduce((sum, pid) => sum + readOrNothing(pid), 0);
  }
}

/** Null: the process has ended. */
export function parentOf(pid: number | string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets before it may hold spaces.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 2)[1]);
  } catch {
    return null;
  }
}

function readOrNothing(pid: number): number {
  try {
    return new CpuMeter(pid).read();
  } catch {
    return 0;
  }
}

/** Returns 0 for a thread that has ended since the listing. */
function onCpu(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ', 1)[0]);
  } catch {
    return 0;
  }
}
