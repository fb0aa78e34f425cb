import type { jest } from '@jest/globals';

const TIMERS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** Options of `jest.useFakeTimers` that fake these timers and leave all others real. */
export const fakeOnly = (
  ...faked: (typeof TIMERS)[number][]
): NonNullable<Parameters<typeof jest.useFakeTimers>[0]> => ({
  doNotFake: TIMERS.filter((timer) => !faked.includes(timer)),
});
