import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PeriodicTask } from './periodic-task.js';

describe('PeriodicTask', () => {
  let task: PeriodicTask;
  let passes: (() => void)[];
  let failures: unknown[];

  beforeEach(() => {
    jest.useFakeTimers();
    [passes, failures] = [[], []];
    task = new PeriodicTask(
      1_000,
      () => new Promise((resolve) => passes.push(resolve)),
      (error) => failures.push(error),
    );
  });

  afterEach(() => void jest.useRealTimers());

  const endLast = () => passes.at(-1)?.();

  it('runs the first pass after one interval, or immediately', async () => {
    task.start();
    await jest.advanceTimersByTimeAsync(999);
    expect(passes).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(passes).toHaveLength(1);
    new PeriodicTask(1_000, async () => void passes.push(() => undefined)).start({ immediately: true });
    expect(passes).toHaveLength(2);
  });

  it('skips passes while one runs', async () => {
    task.start();
    await jest.advanceTimersByTimeAsync(3_500);
    expect(passes).toHaveLength(1);
    endLast();
    await jest.advanceTimersByTimeAsync(500);
    expect(passes).toHaveLength(2);
  });

  it('runs the next pass after a failed one', async () => {
    const failing = new PeriodicTask(
      1_000,
      () => Promise.reject(new Error('away')),
      (error) => failures.push(error),
    );
    failing.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(failures).toEqual([new Error('away'), new Error('away')]);
  });

  it('ends when the running pass has ended, and runs no further one', async () => {
    let ended = false;
    task.start({ immediately: true });
    const stopped = task.stop().then(() => (ended = true));
    await jest.advanceTimersByTimeAsync(5_000);
    expect([ended, passes.length]).toEqual([false, 1]);
    endLast();
    await stopped;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(passes).toHaveLength(1);
  });

  it('notifies the running pass that it is stopping', async () => {
    const seen: AbortSignal[] = [];
    const telling = new PeriodicTask(1_000, async (stopping) => void seen.push(stopping));
    telling.start({ immediately: true });
    expect(seen.map(({ aborted }) => aborted)).toEqual([false]);
    await telling.stop();
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
