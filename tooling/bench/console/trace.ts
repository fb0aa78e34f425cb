import type { Browser, Page } from 'playwright-core';

/** Its events are the tasks of each thread, with the CPU time of each task. */
const CATEGORY = 'disabled-by-default-devtools.timeline';
const MAIN_THREAD = 'CrRendererMain';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  args: { name?: string };
  /** Microseconds of CPU time. */
  tdur?: number;
}

/**
 * Milliseconds of CPU time of each task of the main thread while `use` runs: other load on the machine does not
 * count.
 */
export async function tasksOf(browser: Browser, page: Page, use: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: [CATEGORY] });
  await use();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === MAIN_THREAD)
      .map((event) => threadOf(event)),
  );
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && mains.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('the trace has no tasks of the main thread');
  return tasks.map(({ tdur = 0 }) => tdur / 1000);
}
