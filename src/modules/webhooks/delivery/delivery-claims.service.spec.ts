import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JobQueue } from '#src/queue/job-queue.js';
import type { ClaimedDelivery, DueDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';

/** Rows that are due until claimed; those in `taken` are claimed by another process first. */
class FakeRows implements Pick<DeliveriesRepository, 'dueAmong' | 'claimDeliveries' | 'putBack'> {
  readonly taken = new Set<number>();
  readonly due = new Map<number, DueDelivery>();
  readonly putBackIds: number[] = [];
  failing = false;
  lookUps = 0;

  add(id: number, receiver: string): void {
    this.due.set(id, { id, accountId: 1, receiver });
  }

  async dueAmong(ids: number[]): Promise<DueDelivery[]> {
    this.lookUps++;
    return this.among(ids);
  }

  private among(ids: number[]): DueDelivery[] {
    return [...this.due.values()].filter(({ id }) => ids.includes(id));
  }

  async claimDeliveries(ids: number[]): Promise<ClaimedDelivery[]> {
    if (this.failing) throw new Error('no database');
    const rows = this.among(ids.filter((id) => !this.taken.has(id)));
    for (const id of ids) this.due.delete(id);
    return rows as ClaimedDelivery[];
  }

  async putBack({ id }: ClaimedDelivery): Promise<void> {
    this.putBackIds.push(id);
  }
}

const PER_RECEIVER = 8;

describe('DeliveryClaimsService', () => {
  let rows: FakeRows;
  let woken: number[];
  let refuses: boolean;
  let claims: DeliveryClaimsService;
  const claimed = async (ids: number[]) => {
    const found = await Promise.all(ids.map((id) => claims.claim(id)));
    return found.filter((row) => row !== null);
  };

  beforeEach(() => {
    rows = new FakeRows();
    woken = [];
    refuses = false;
    const queue: Pick<JobQueue, 'isWorker' | 'offer'> = {
      isWorker: true,
      offer: (_kind, { id }) => !refuses && woken.push(Number(id)) > 0,
    };
    claims = new DeliveryClaimsService(rows as unknown as DeliveriesRepository, queue as JobQueue);
  });

  it('gives a row to one of several concurrent callers', async () => {
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
    expect([...rows.due.keys()]).toEqual([PER_RECEIVER + 1, PER_RECEIVER + 2]);
    claims.release(first, 1_000);
    claims.release(second, 1_000);
    expect(woken).toEqual([PER_RECEIVER + 1, PER_RECEIVER + 2]);
    rows.lookUps = 0;
    expect((await claimed([9, 9, 10])).map(({ id }) => id)).toEqual([PER_RECEIVER + 1, PER_RECEIVER + 2]);
    expect(rows.lookUps).toBe(0);
  });

  it('keeps the slot of the receiver that a row waited for, where the row has moved since', async () => {
    const ids = Array.from({ length: PER_RECEIVER + 1 }, (_, index) => index + 1);
    for (const id of ids) rows.add(id, 'slow');
    const [first] = await claimed(ids);
    if (!first) throw new Error('there are slots for eight');
    rows.add(PER_RECEIVER + 1, 'other');
    claims.release(first, 1_000);
    expect(await claimed([PER_RECEIVER + 1])).toMatchObject([{ receiver: 'slow' }]);
  });

  it('releases the slot of a row that another process has claimed or that could not be claimed', async () => {
    for (let id = 1; id <= PER_RECEIVER; id++) {
      rows.add(id, 'slow');
      rows.taken.add(id);
    }
    expect(await claimed([...rows.taken])).toEqual([]);
    rows.add(100, 'slow');
    rows.failing = true;
    await expect(claims.claim(100)).rejects.toThrow('no database');
    rows.failing = false;
    const ids = Array.from({ length: PER_RECEIVER }, (_, index) => 200 + index);
    for (const id of ids) rows.add(id, 'slow');
    expect(await claimed(ids)).toHaveLength(PER_RECEIVER);
  });

  describe('rows that are written claimed', () => {
    const party = { accountId: 1, receiver: 'slow' };
    const row = (id: number) => ({ id, claim: 1, ...party }) as ClaimedDelivery;

    it('are sent by this process, once, without a look at the database', async () => {
      expect(claims.reserve(party)).toBe(true);
      claims.hold(row(7));
      expect(woken).toEqual([7]);
      expect(await claimed([7, 7])).toEqual([row(7)]);
    });

    it('take slots, and none where other rows of the account wait for one', async () => {
      const reserved = Array.from({ length: PER_RECEIVER + 1 }, () => claims.reserve(party));
      expect(reserved).toEqual([...Array<boolean>(PER_RECEIVER).fill(true), false]);
      rows.add(1, 'slow');
      expect(await claimed([1])).toEqual([]);
      // One slot is free again, and the row that waits is woken for it.
      claims.release(party, 1_000);
      expect(woken).toEqual([1]);
      rows.add(2, 'other');
      expect(await claimed([1, 2])).toHaveLength(2);
    });

    it('are due at once for others when this process stops, or has too many rows', async () => {
      claims.reserve(party);
      claims.hold(row(7));
      refuses = true;
      claims.reserve(party);
      claims.hold(row(8));
      expect(rows.putBackIds).toEqual([8]);
      await claims.beforeApplicationShutdown();
      expect(rows.putBackIds).toEqual([8, 7]);
      expect(await claimed([7, 8])).toEqual([]);
      expect(claims.reserve(party)).toBe(false);
    });
  });
});
