import { readdirSync, readFileSync } from 'node:fs';

/** The processor time that another process has used, in all its threads, by proc(5): Linux only. */
export class CpuMeter {
  constructor(private readonly pid: number) {}

  /** Milliseconds since the process started, to the microsecond. */
  read(): number {
    const tasks = `/proc/${this.pid}/task`;
    let nanoseconds = 0;
    for (const thread of readdirSync(tasks)) nanoseconds += onCpu(`${tasks}/${thread}/schedstat`);
    return nanoseconds / 1e6;
  }
}

/** A thread may end between the listing and the reading. */
function onCpu(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ', 1)[0]);
  } catch {
    return 0;
  }
}
