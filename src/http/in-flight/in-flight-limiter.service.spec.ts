import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TooManyRequests } from '#src/common/errors/api-error.js';
import { InFlightLimiterService } from './in-flight-limiter.service.js';

describe('InFlightLimiterService', () => {
  const aResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));
  const outcome = (entering: Promise<unknown>) => entering.catch((error: unknown) => error);

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('lets 500 wait for at most 10 seconds and refuses the next at once', async () => {
    const limiter = new InFlightLimiterService(20);
    await Promise.all(Array.from({ length: 20 }, () => limiter.acquireSlot(1)));
    const waiting = Array.from({ length: 500 }, () => outcome(limiter.acquireSlot(1)));
    await expect(limiter.acquireSlot(1)).rejects.toMatchObject({
      status: 429,
      body: { retry_after: 10 },
      headers: { 'Retry-After': '10' },
    });
    await expect(limiter.acquireSlot(2)).resolves.toBeInstanceOf(Function);
    await jest.advanceTimersByTimeAsync(10_000);
    const refused = (await Promise.all(waiting)).filter((error) => error instanceof TooManyRequests);
    expect(refused).toHaveLength(500);
  });

  it('releases the slot when the response is finished or the client disconnects', async () => {
    const limiter = new InFlightLimiterService(1);
    const [running, gone, next] = [aResponse(), aResponse(), aResponse()];
    await limiter.admitRequest(1, running);
    const leaving = outcome(limiter.admitRequest(1, gone));
    const waiting = limiter.admitRequest(1, next);
    gone.emit('close');
    expect(await leaving).toBeInstanceOf(TooManyRequests);
    running.emit('close');
    await waiting;
    next.emit('close');
    await expect(limiter.acquireSlot(1)).resolves.toBeInstanceOf(Function);
  });
});
