import { afterEach, expect, it, jest } from '@jest/globals';
import { FirstRequests } from './first-requests.js';

afterEach(() => {
  jest.useRealTimers();
});

const messages = (content: string): object[] => [{ role: 'user', content }];

it('knows a request that was sent before, for half a minute', () => {
  jest.useFakeTimers();
  const requests = new FirstRequests();
  const isFirst = (): boolean[] => ['One', 'Two'].map((text) => requests.isFirst(messages(text)));
  expect([isFirst(), isFirst(), isFirst()]).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ]);
  jest.advanceTimersByTime(30_000);
  expect([isFirst(), isFirst()]).toEqual([
    [true, true],
    [false, false],
  ]);
});

it('forgets the oldest of many', () => {
  const requests = new FirstRequests();
  for (let index = 0; index <= 1_000; index += 1) requests.isFirst(index);
  expect([1_000, 1, 0].map((index) => requests.isFirst(index))).toEqual([false, false, true]);
});
