import { readFileSync, writeFileSync } from 'node:fs';

const MEGABYTE = 1024 * 1024;

/** Resident memory of another process, from proc(5); Linux only. */
export class ResidentMemory {
  constructor(private readonly pid: number) {}

  /** Resets the peak. @returns the current memory in MB */
  reset(): number {
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
    return this.read('VmRSS');
  }

  /** MB */
  peak(): number {
    return this.read('VmHWM');
  }

  private read(field: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    return (Number(kilobytes) * 1024) / MEGABYTE;
  }
}
