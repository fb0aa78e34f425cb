import { describe, expect, it } from '@jest/globals';
import { EventDispatcher } from './event-dispatcher.js';
import type { ClaimedEvent } from './events.repository.js';

const PER_ACCOUNT = 32;

const anEvent = (id: number, callId: number, accountId = 1): ClaimedEvent => ({
  id: String(id),
  accountId,
  kind: 'call.ended',
  payload: { callId },
  occurredAt: new Date(),
  claim: 1,
  leasedUntil: 5_000,
});

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A hand-over whose listeners end when they are told to. */
function aHandover() {
  const told: string[] = [];
  const done: string[] = [];
  const ends = new Map<string, (taken: boolean) => void>();
  let asked = 0;
  const handover = new EventDispatcher(
    ({ id }) => {
      told.push(id);
      return new Promise<boolean>((resolve) => ends.set(id, resolve));
    },
    async (ids) => void done.push(...ids),
    () => asked++,
  );
  const end = async (id: number, taken = true): Promise<void> => {
    ends.get(String(id))?.(taken);
    await turn();
    await turn();
  };
  return { handover, told, done, end, asked: () => asked };
}

describe('EventDispatcher', () => {
  it('dispatches events of other subjects while a listener waits', async () => {
    const { handover, told, done, end } = aHandover();
    handover.add(anEvent(1, 100));
    handover.add(anEvent(2, 200));
    await turn();
    await end(2);
    expect(told).toEqual(['1', '2']);
    expect(done).toEqual(['2']);
  });

  it('dispatches events of one subject in order, one after another', async () => {
    const { handover, told, end } = aHandover();
    handover.add(anEvent(1, 100));
    handover.add(anEvent(2, 100));
    await turn();
    expect(told).toEqual(['1']);
    await end(1);
    expect(told).toEqual(['1', '2']);
  });

  it('continues a subject after a failed event, which is not marked as done', async () => {
    const { handover, told, done, end } = aHandover();
    handover.add(anEvent(1, 100));
    handover.add(anEvent(2, 100));
    await turn();
    await end(1, false);
    await end(2);
    expect(told).toEqual(['1', '2']);
    expect(done).toEqual(['2']);
  });

  it('gives an account its share of the slots, and requests more when half of them are done', async () => {
    const { handover, told, end, asked } = aHandover();
    for (let id = 1; id <= 2 * PER_ACCOUNT; id++) handover.add(anEvent(id, id));
    handover.add(anEvent(99, 99, 2));
    await turn();
    expect(told).toHaveLength(PER_ACCOUNT + 1);
    expect(handover.accountsAtLimit(2 * PER_ACCOUNT)).toEqual([1]);
    for (let id = 1; id <= PER_ACCOUNT; id++) await end(id);
    expect(asked()).toBe(0);
    await end(PER_ACCOUNT + 1);
    expect(asked()).toBe(1);
  });

  it('requests more when an account has none left, while those of another wait', async () => {
    const { handover, end, asked } = aHandover();
    for (let id = 1; id <= 2 * PER_ACCOUNT; id++) handover.add(anEvent(id, id));
    handover.add(anEvent(99, 99, 2));
    await turn();
    expect(handover.accountsAtLimit(2 * PER_ACCOUNT)).toEqual([1]);
    await end(99);
    expect(asked()).toBe(1);
  });

  it('dispatches an event once when its lease expires in this process', async () => {
    const { handover, told } = aHandover();
    handover.add(anEvent(1, 100));
    handover.add(anEvent(1, 100));
    await turn();
    expect(told).toEqual(['1']);
    expect(handover.findHeldLongerThan(60_000)).toEqual([]);
    expect(handover.findHeldLongerThan(0).map(({ id }) => id)).toEqual(['1']);
  });
});
