import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InProcessQueueService } from './in-process-queue.service.js';

describe('InProcessQueueService', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  async function begin() {
    const queue = new InProcessQueueService();
    const woken: unknown[] = [];
    await queue.start((kind, row) => woken.push([kind, row]) > 0);
    return { queue, woken };
  }

  it('runs a job at its time, with the id and account of the row only', async () => {
    const { queue, woken } = await begin();
    const row = { id: 1, accountId: 2, transcript: 'long' };
    queue.enqueue('call-wrap-up', row);
    queue.enqueue('call-wrap-up', { id: 3, accountId: 2 }, 500);
    expect(woken).toEqual([['call-wrap-up', { id: 1, accountId: 2 }]]);
    await jest.advanceTimersByTimeAsync(500);
    expect(woken).toHaveLength(2);
  });

  it('limits the number of timers', async () => {
    const { queue, woken } = await begin();
    for (let id = 0; id < 10_100; id++) queue.enqueue('webhook-delivery', { id, accountId: 1 }, 1_000);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(woken).toHaveLength(10_000);
  });

  it('runs no job after it is stopped', async () => {
    const { queue, woken } = await begin();
    queue.enqueue('sms-check', { id: 1, accountId: 1 }, 100);
    await queue.stop();
    queue.enqueue('sms-check', { id: 2, accountId: 1 });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(woken).toEqual([]);
  });
});
