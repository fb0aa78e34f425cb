import { beforeEach, describe, expect, it } from '@jest/globals';
import { partialFake } from '#src/common/partial.fake.js';
import type { JobQueue } from '#src/queue/job-queue.js';
import type { ClaimedDelivery, DeliveriesRepository, QueuedDelivery } from './deliveries.repository.js';
import { DeliveryClaimsService, ReceiverConcurrencyLimiter } from './delivery-claims.service.js';

/** Rows that are due until claimed; those in `taken` are claimed by another process first. */
class FakeRows implements Pick<DeliveriesRepository, 'findQueued' | 'claimDeliveries'> {
  readonly taken = new Set<number>();
  readonly rows = new Map<number, QueuedDelivery>();
  /** Receivers of rows that move between look-up and claim. */
  readonly moved = new Map<number, string>();
  private readonly claimed = new Set<number>();
  failing = false;

  add(id: number, receiver: string): void {
    this.rows.set(id, { id, accountId: 1, receiver });
  }

  async findQueued(ids: number[]): Promise<QueuedDelivery[]> {
    return [...this.rows.values()].filter(({ id }) => ids.includes(id));
  }

  async claimDeliveries(ids: number[]): Promise<ClaimedDelivery[]> {
    if (this.failing) throw new Error('no database');
    const due = (await this.findQueued(ids)).filter(({ id }) => !this.taken.has(id) && !this.claimed.has(id));
    for (const { id } of due) this.claimed.add(id);
    return due.map(
      (row) => ({ ...row, receiver: this.moved.get(row.id) ?? row.receiver }) as ClaimedDelivery,
    );
  }
}

const PER_RECEIVER = 8;

describe('DeliveryClaimsService', () => {
  let rows: FakeRows;
  let woken: number[];
  let claims: DeliveryClaimsService;
  const claimed = async (ids: number[]) => {
    const found = await Promise.all(ids.map((id) => claims.claimDelivery(id)));
    return found.filter((row) => row !== null);
  };

  beforeEach(() => {
    rows = new FakeRows();
    woken = [];
    const queue = partialFake<JobQueue>({ offerLocally: (_kind, { id }) => void woken.push(Number(id)) });
    claims = new DeliveryClaimsService(partialFake<DeliveriesRepository>(rows), queue);
  });

  it('assigns a row to one of several concurrent callers', async () => {
    rows.add(1, 'a');
    rows.add(2, 'b');
    expect((await claimed([1, 2, 1, 1, 2, 3])).map(({ id }) => id)).toEqual([1, 2]);
    expect(await claimed([1, 2])).toEqual([]);
  });

  it('claims no more rows of a receiver than it has slots, and offers the next when one is free', async () => {
    const ids = Array.from({ length: PER_RECEIVER + 2 }, (_, index) => index + 1);
    for (const id of ids) rows.add(id, 'slow');
    const [first, second, ...rest] = await claimed(ids);
    if (!first || !second) throw new Error('there are slots for eight');
    expect(rest).toHaveLength(PER_RECEIVER - 2);
    claims.releaseSlot(first);
    claims.releaseSlot(second);
    expect(woken).toEqual([PER_RECEIVER + 1, PER_RECEIVER + 2]);
    expect((await claimed([9, 9, 10])).map(({ id }) => id)).toEqual([PER_RECEIVER + 1, PER_RECEIVER + 2]);
  });

  it('keeps the slot of the receiver that a row had before its claim, where the row has moved since', async () => {
    rows.add(1, 'slow');
    rows.moved.set(1, 'other');
    expect(await claimed([1])).toMatchObject([{ receiver: 'slow' }]);
  });

  it('offers the next row when the one that waited is claimed by another process', async () => {
    const ids = Array.from({ length: PER_RECEIVER + 2 }, (_, index) => index + 1);
    for (const id of ids) rows.add(id, 'slow');
    const [first] = await claimed(ids);
    if (!first) throw new Error('there are slots for eight');
    rows.taken.add(PER_RECEIVER + 1);
    claims.releaseSlot(first);
    expect(await claimed([PER_RECEIVER + 1])).toEqual([]);
    expect(woken).toEqual([PER_RECEIVER + 1, PER_RECEIVER + 2]);
  });

  it('releases the slot of a row that another process has claimed or that could not be claimed', async () => {
    for (let id = 1; id <= PER_RECEIVER; id++) {
      rows.add(id, 'slow');
      rows.taken.add(id);
    }
    expect(await claimed([...rows.taken])).toEqual([]);
    rows.add(100, 'slow');
    rows.failing = true;
    await expect(claims.claimDelivery(100)).rejects.toThrow('no database');
    rows.failing = false;
    const ids = Array.from({ length: PER_RECEIVER }, (_, index) => 200 + index);
    for (const id of ids) rows.add(id, 'slow');
    expect(await claimed(ids)).toHaveLength(PER_RECEIVER);
  });
});

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
    expect(limiter.saturatedTargets()).toEqual({ receivers: ['1 slow'], accounts: [] });
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
    expect(limiter.saturatedTargets().accounts).toEqual([1]);
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
    expect(limiter.saturatedTargets().receivers).toEqual([]);
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
