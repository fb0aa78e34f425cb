import { describe, expect, it } from '@jest/globals';
import { FairScheduler } from './fair-scheduler.js';

const SIZES = { slots: 4, perAccount: 2 };

/** A scheduler whose work ends when it is told to. */
function startScheduler(sizes = SIZES) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const scheduler = new FairScheduler(sizes, ({ id }) => {
    begun.push(String(id));
    return new Promise<void>((resolve) => ends.set(String(id), resolve));
  });
  const end = async (id: string): Promise<void> => {
    ends.get(id)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const offer = (accountId: number, ...ids: string[]) =>
    ids.map((id) => scheduler.offerRow({ id, accountId }));
  return { scheduler, begun, end, offer };
}

describe('FairScheduler', () => {
  it('gives an account its share of the slots and keeps the rest for others', () => {
    const { begun, offer } = startScheduler();
    offer(1, 'a1', 'a2', 'a3', 'a4', 'a5');
    expect(begun).toEqual(['a1', 'a2']);
    offer(2, 'b1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('assigns free slots in turn by account, however many rows each has', async () => {
    const { begun, end, offer } = startScheduler({ slots: 1, perAccount: 1 });
    offer(1, 'a1', 'a2', 'a3');
    offer(2, 'b1');
    offer(3, 'c1', 'c2');
    for (const id of ['a1', 'a2', 'b1', 'c1', 'a3', 'c2']) await end(id);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'c2']);
  });

  it('queues a waiting row once, and a running row again', async () => {
    const { begun, end, offer } = startScheduler({ slots: 1, perAccount: 1 });
    offer(1, 'a1', 'a1', 'a1');
    await end('a1');
    await end('a1');
    expect(begun).toEqual(['a1', 'a1']);
  });

  it('limits the waiting rows of each account', () => {
    const { offer } = startScheduler();
    const many = offer(1, ...Array.from({ length: 1_000 }, (_, index) => `a${index}`));
    expect(many.filter(Boolean).length).toBe(202);
    expect(offer(2, 'b1', 'b2', 'b3')).toEqual([true, true, true]);
  });

  it('drops waiting rows when it is stopped, and waits for running ones', async () => {
    const { scheduler, begun, end, offer } = startScheduler();
    offer(1, 'a1', 'a2', 'a3');
    let stopped = false;
    const stopping = scheduler.stop().then(() => (stopped = true));
    await end('a1');
    expect(stopped).toBe(false);
    await end('a2');
    await stopping;
    expect(begun).toEqual(['a1', 'a2']);
    expect(offer(1, 'a4')).toEqual([false]);
  });
});
