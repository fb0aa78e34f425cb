import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeyedConcurrencyLimiter, NoSlotError } from './keyed-concurrency-limiter.js';

describe('KeyedConcurrencyLimiter', () => {
  const limits = { maxWaiting: 2, maxWaitMs: 10_000 };

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('limits concurrency per key and admits waiting callers in order', async () => {
    const limiter = new KeyedConcurrencyLimiter<string>(1, limits);
    const order: string[] = [];
    const leave = await limiter.acquire('a');
    const second = limiter.acquire('a').then((release) => (order.push('second'), release));
    const third = limiter.acquire('a').then((release) => (order.push('third'), release));
    expect(order).toEqual([]);
    leave();
    (await second)();
    (await third)();
    expect(order).toEqual(['second', 'third']);
  });

  it('does not make a key wait for the slots of another key', async () => {
    const limiter = new KeyedConcurrencyLimiter<string>(1, limits);
    await limiter.acquire('a');
    await expect(limiter.acquire('b')).resolves.toBeInstanceOf(Function);
  });

  it('refuses at once when too many wait, and a waiting caller after its time limit', async () => {
    const limiter = new KeyedConcurrencyLimiter<string>(1, limits);
    await limiter.acquire('a');
    const waiting = [limiter.acquire('a'), limiter.acquire('a')].map((entering) =>
      entering.catch((error: unknown) => error),
    );
    await expect(limiter.acquire('a')).rejects.toThrow(NoSlotError);
    await jest.advanceTimersByTimeAsync(9_999);
    expect(jest.getTimerCount()).toBe(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(await Promise.all(waiting)).toEqual([expect.any(NoSlotError), expect.any(NoSlotError)]);
  });

  it('removes an aborted caller from the queue without losing its slot', async () => {
    const limiter = new KeyedConcurrencyLimiter<string>(1, limits);
    const leave = await limiter.acquire('a');
    const gone = new AbortController();
    const first = limiter.acquire('a', gone.signal);
    const second = limiter.acquire('a');
    gone.abort();
    await expect(first).rejects.toThrow(NoSlotError);
    leave();
    (await second)();
    await expect(limiter.acquire('a')).resolves.toBeInstanceOf(Function);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('releases a slot once, however often release is called', async () => {
    const limiter = new KeyedConcurrencyLimiter<string>(1, limits);
    const leave = await limiter.acquire('a');
    leave();
    leave();
    await limiter.acquire('a');
    const waiting = limiter.acquire('a').catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toBeInstanceOf(NoSlotError);
  });
});
