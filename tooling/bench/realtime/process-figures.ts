/** Offset of prom-client's loop lag: the interval of its timer. */
const LOOP_TIMER_MS = 10;
const MEGABYTE = 1024 * 1024;

/** Figures of a process with prom-client metrics. */
export interface ProcessFigures {
  /** Since the start of the process. */
  cpuSeconds: number;
  /** Since the previous figures. */
  loopP99Ms: number;
  megabytes: number;
  at: number;
}

export async function processFigures(url: string): Promise<ProcessFigures> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const of = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    cpuSeconds: of('process_cpu_seconds_total'),
    loopP99Ms: Math.max(0, of('nodejs_eventloop_lag_p99_seconds') * 1000 - LOOP_TIMER_MS),
    megabytes: of('process_resident_memory_bytes') / MEGABYTE,
    at: performance.now(),
  };
}

/** CPU time of a process in percent of the time between two readings. */
export const cpuShare = (before: ProcessFigures, after: ProcessFigures): number =>
  ((after.cpuSeconds - before.cpuSeconds) * 100_000) / (after.at - before.at);
