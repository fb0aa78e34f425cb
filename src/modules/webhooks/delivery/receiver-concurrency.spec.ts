import { describe, expect, it } from '@jest/globals';
import { ReceiverConcurrencyLimiter } from './receiver-concurrency.js';

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
    expect(limiter.releaseSlot(first)?.id).toBe(PER_RECEIVER + 1);
    expect(limiter.releaseSlot(second)?.id).toBe(PER_RECEIVER + 2);
    expect(limiter.releaseSlot(third)).toBeNull();
    expect(limiter.full().receivers).toEqual([]);
  });

  it('does not assign a slot to a receiver at its limit', () => {
    const limiter = new ReceiverConcurrencyLimiter();
    rows(PER_RECEIVER + 1, 1, 'slow').forEach((row) => limiter.acquireSlot(row));
    const [fast] = rows(1, 1, 'fast', 100);
    if (!fast) throw new Error('there is one row');
    limiter.acquireSlot(fast);
    expect(limiter.releaseSlot(fast)).toBeNull();
  });
});
