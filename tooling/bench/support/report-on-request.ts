import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
const LIMIT_MS = 10_000;

/** Makes this process write a report to the file at BENCH_REPORT on each request; without requests it has no cost. */
export function reportOnRequest(report: () => object): void {
  const file = process.env.BENCH_REPORT;
  if (!file) throw new Error('BENCH_REPORT names the file to write to');
  process.on('SIGUSR2', () => {
    // Renamed atomically: a reader never finds a partial file.
    writeFileSync(`${file}.new`, JSON.stringify(report()));
    renameSync(`${file}.new`, file);
  });
}

/** The report of a process that calls `reportWhenAsked` with `file` at BENCH_REPORT. */
export async function askForReport<T>(pid: number, file: string): Promise<T> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await sleep(POLL_MS)) {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('the process did not report');
}

/** CPU time of this process since its start, in ms. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
