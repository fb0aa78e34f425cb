import { describe, expect, it } from '@jest/globals';
import { NoSlotError } from '#src/common/persistence/keyed-concurrency-limiter.js';
import { ReceiverConcurrencyLimiter, RequestLimiter } from './receiver-concurrency.js';

const QUICK_MS = 50;
const SLOW_MS = 1_000;
const PER_RECEIVER = 8;
const PER_ACCOUNT = 16;

/** Rows of one account and host, with ids from `from` on. */
const rows = (count: number, accountId: number, host: string, from = 1) =>
  Array.from({ length: count }, (_, index) => ({
    id: from + index,
    accountId,
    receiver: `${accountId} ${host}`,
  }));

describe('ReceiverConcurrencyLimiter', () => {
  it('limits the slots of a receiver', () => {
    const limiter = new ReceiverConcurrencyLimiter();
    const taken = rows(20, 1, 'slow').filter((row) => limiter.acquireSlot(row));
    expect(taken).toHaveLength(PER_RECEIVER);
    expect(limiter.full()).toEqual({ receivers: ['1 slow'], accounts: [] });
    expect(rows(1, 1, 'fast').every((row) => limiter.acquireSlot(row))).toBe(true);
    expect(rows(1, 2, 'slow').every((row) => limiter.acquireSlot(row))).toBe(true);
  });

  it('limits the slots of an account with many hosts', () => {
    const limiter = new ReceiverConcurrencyLimiter();
    const hosts = Array.from({ length: 100 }, (_, index) => `host-${index}`);
    const taken = hosts
      .flatMap((host, index) => rows(1, 1, host, index))
      .filter((row) => limiter.acquireSlot(row));
    expect(taken).toHaveLength(PER_ACCOUNT);
    expect(limiter.full().accounts).toEqual([1]);
    expect(rows(1, 2, 'other').every((row) => limiter.acquireSlot(row))).toBe(true);
  });

  it('assigns a released slot to waiting rows in order', () => {
    const limiter = new ReceiverConcurrencyLimiter();
    const all = rows(PER_RECEIVER + 2, 1, 'slow');
    const [first, second, third] = all;
    if (!first || !second || !third) throw new Error('there are ten rows');
    all.forEach((row) => limiter.acquireSlot(row));
    expect(limiter.releaseSlot(first, SLOW_MS).map(({ id }) => id)).toContain(PER_RECEIVER + 1);
    expect(limiter.releaseSlot(second, SLOW_MS)).toEqual([]);
    expect(limiter.releaseSlot(third, SLOW_MS)).toEqual([]);
    expect(limiter.full().receivers).toEqual([]);
  });

  it('does not assign a slot to a receiver at its limit', () => {
    const limiter = new ReceiverConcurrencyLimiter();
    rows(PER_RECEIVER + 1, 1, 'slow').forEach((row) => limiter.acquireSlot(row));
    const [fast] = rows(1, 1, 'fast', 100);
    if (!fast) throw new Error('there is one row');
    limiter.acquireSlot(fast);
    expect(limiter.releaseSlot(fast, SLOW_MS)).toEqual([]);
  });

  it('claims ahead for a receiver while it answers quickly', () => {
    const limiter = new ReceiverConcurrencyLimiter();
    const [first, second, ...others] = rows(3 * PER_RECEIVER, 1, 'quick');
    if (!first || !second) throw new Error('there are 24 rows');
    const taken = [first, second, ...others].filter((row) => limiter.acquireSlot(row));
    expect(taken).toHaveLength(PER_RECEIVER);
    limiter.releaseSlot(first, QUICK_MS);
    const ahead = rows(2 * PER_RECEIVER, 1, 'quick', 100).filter((row) => limiter.acquireSlot(row));
    expect(ahead).toHaveLength(PER_RECEIVER + 1);
    limiter.releaseSlot(second, SLOW_MS);
    expect(rows(PER_RECEIVER, 1, 'quick', 200).some((row) => limiter.acquireSlot(row))).toBe(false);
  });
});

describe('RequestLimiter', () => {
  const party = { accountId: 1, receiver: '1 slow' };
  const { signal } = new AbortController();

  it('lets as many requests to a receiver begin as it has slots, and the next when one has ended', async () => {
    const limiter = new RequestLimiter();
    const first = await limiter.enter(party, signal);
    for (let count = 1; count < PER_RECEIVER; count++) await limiter.enter(party, signal);
    const begun: string[] = [];
    const ninth = Promise.resolve(limiter.enter(party, signal)).then(() => begun.push('ninth'));
    await limiter.enter({ accountId: 1, receiver: '1 fast' }, signal);
    expect(begun).toEqual([]);
    first();
    await ninth;
    expect(begun).toEqual(['ninth']);
  });

  it('lets an account with many hosts begin as many requests as it has slots', async () => {
    const limiter = new RequestLimiter();
    const enter = (host: number, gone: AbortSignal) =>
      limiter.enter({ accountId: 1, receiver: `1 host-${host}` }, gone);
    for (let host = 0; host < PER_ACCOUNT; host++) await enter(host, signal);
    const stop = new AbortController();
    const refused = [enter(100, stop.signal), enter(100, stop.signal)];
    await limiter.enter({ accountId: 2, receiver: '2 host-1' }, signal);
    stop.abort();
    for (const one of refused) await expect(one).rejects.toThrow(NoSlotError);
  });
});
