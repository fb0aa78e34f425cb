import { jest } from '@jest/globals';
import { fakeOnly } from '#src/common/time/fake-timers.fake.js';

/** Timeouts of `work` pass only when it advances them, however long its requests take. */
export async function withFakeTimeouts(work: () => Promise<void>): Promise<void> {
  jest.useFakeTimers(fakeOnly('setTimeout', 'clearTimeout'));
  try {
    await work();
  } finally {
    jest.useRealTimers();
  }
}
