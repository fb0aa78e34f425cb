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

/** Returns 0 for a thread that has ended since the listing. */
function onCpu(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ', 1)[0]);
  } catch {
    return 0;
  }
}
