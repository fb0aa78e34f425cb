import { beforeEach, describe, expect, it } from '@jest/globals';
import { partialFake } from '#src/common/partial.fake.js';
import type { JobQueue } from '#src/queue/job-queue.js';
import type { ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';
import type { Party } from './receiver-concurrency.js';

/** Rows that are due until claimed; those in `taken` are claimed by another process first. */
class FakeRows implements Pick<DeliveriesRepository, 'partiesOf' | 'claimDeliveries'> {
  readonly taken = new Set<number>();
  readonly rows = new Map<number, Party>();
  /** Receivers of rows that move between look-up and claim. */
  readonly moved = new Map<number, string>();
  private readonly claimed = new Set<number>();
  failing = false;

  add(id: number, receiver: string): void {
    this.rows.set(id, { id, accountId: 1, receiver });
  }

  async partiesOf(ids: number[]): Promise<Party[]> {
    return [...this.rows.values()].filter(({ id }) => ids.includes(id));
  }

  async claimDeliveries(ids: number[]): Promise<ClaimedDelivery[]> {
    if (this.failing) throw new Error('no database');
    const due = (await this.partiesOf(ids)).filter(({ id }) => !this.taken.has(id) && !this.claimed.has(id));
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
    const found = await Promise.all(ids.map((id) => claims.claim(id)));
    return found.filter((row) => row !== null);
  };

  beforeEach(() => {
    rows = new FakeRows();
    woken = [];
    const queue = partialFake<JobQueue>({ offerLocally: (_kind, { id }) => void woken.push(Number(id)) });
    claims = new DeliveryClaimsService(partialFake<DeliveriesRepository>(rows), queue);
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
    claims.release(first);
    claims.release(second);
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
    claims.release(first);
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
    await expect(claims.claim(100)).rejects.toThrow('no database');
    rows.failing = false;
    const ids = Array.from({ length: PER_RECEIVER }, (_, index) => 200 + index);
    for (const id of ids) rows.add(id, 'slow');
    expect(await claimed(ids)).toHaveLength(PER_RECEIVER);
  });
});
