import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeyedConcurrencyLimiter, NoPlaceError } from './keyed-concurrency-limiter.js';

describe('KeyedConcurrencyLimiter', () => {
  const limits = { maxWaiting: 2, maxWaitMs: 10_000 };

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('lets so many of a key in and the others in order, each when one leaves', async () => {
    const places = new KeyedConcurrencyLimiter<string>(1, limits);
    const order: string[] = [];
    const leave = await places.enter('a');
    const second = places.enter('a').then((release) => (order.push('second'), release));
    const third = places.enter('a').then((release) => (order.push('third'), release));
    expect(order).toEqual([]);
    leave();
    (await second)();
    (await third)();
    expect(order).toEqual(['second', 'third']);
  });

  it('makes nobody wait for the places of another key', async () => {
    const places = new KeyedConcurrencyLimiter<string>(1, limits);
    await places.enter('a');
    await expect(places.enter('b')).resolves.toBeInstanceOf(Function);
  });

  it('refuses at once when too many wait, and after its time whoever waits', async () => {
    const places = new KeyedConcurrencyLimiter<string>(1, limits);
    await places.enter('a');
    const waiting = [places.enter('a'), places.enter('a')].map((entering) =>
      entering.catch((error: unknown) => error),
    );
    await expect(places.enter('a')).rejects.toThrow(NoPlaceError);
    await jest.advanceTimersByTimeAsync(9_999);
    expect(jest.getTimerCount()).toBe(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(await Promise.all(waiting)).toEqual([expect.any(NoPlaceError), expect.any(NoPlaceError)]);
  });

  it('takes out of the queue who goes away, and loses no place by it', async () => {
    const places = new KeyedConcurrencyLimiter<string>(1, limits);
    const leave = await places.enter('a');
    const gone = new AbortController();
    const first = places.enter('a', gone.signal);
    const second = places.enter('a');
    gone.abort();
    await expect(first).rejects.toThrow(NoPlaceError);
    leave();
    (await second)();
    await expect(places.enter('a')).resolves.toBeInstanceOf(Function);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives a place back once, however often that is said', async () => {
    const places = new KeyedConcurrencyLimiter<string>(1, limits);
    const leave = await places.enter('a');
    leave();
    leave();
    await places.enter('a');
    const waiting = places.enter('a').catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toBeInstanceOf(NoPlaceError);
  });
});
