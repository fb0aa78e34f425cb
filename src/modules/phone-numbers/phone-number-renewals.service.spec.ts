import { describe, expect, it } from '@jest/globals';
import type { DataSource, EntityManager } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import type { DomainEventsService } from '#src/events/domain-events.service.js';
import type { EventType } from '#src/events/event-type.js';
import type { LedgerService, LedgerPosting, PostingOutcome } from '../accounts/ledger.service.js';
import { PhoneNumber } from './entities/phone-number.entity.js';
import type { PhoneNumberReleasesService } from './phone-number-releases.service.js';
import { PhoneNumberRenewalsService } from './phone-number-renewals.service.js';

const START = new Date('2027-01-31T08:00:00Z');

interface Situation {
  outcome?: PostingOutcome;
  number?: Partial<PhoneNumber>;
  isInUse?: boolean;
}

function theRenewals({ outcome = 'posted', number = {}, isInUse = false }: Situation) {
  const stored = Object.assign(new PhoneNumber(), {
    id: 12,
    accountId: 7,
    state: 'active',
    priceMicros: 2_000_000n,
    paidMonths: 1,
    unpaidSince: null,
    createdAt: START,
    ...number,
  });
  const done = {
    postings: [] as LedgerPosting[],
    changes: [] as object[],
    events: [] as string[],
    withdrawn: [] as string[],
  };
  const tx = partialFake<EntityManager>({
    query: async () => [],
    findOneBy: async () => stored,
    update: async (_entity: unknown, _id: unknown, changes: object) => void done.changes.push(changes),
  } as never);
  const renewals = new PhoneNumberRenewalsService(
    partialFake<DataSource>({
      transaction: async (work: (tx: EntityManager) => Promise<unknown>) => work(tx),
    } as never),
    partialFake<LedgerService>({
      postEntry: async (_tx: EntityManager, posting: LedgerPosting) => {
        done.postings.push(posting);
        return outcome;
      },
    }),
    partialFake<DomainEventsService>({
      publish: async (_tx: EntityManager, { name }: EventType<object>) => void done.events.push(name),
    }),
    partialFake<PhoneNumberReleasesService>({
      isInUse: async () => isInUse,
      withdrawNumber: async (_tx: EntityManager, _number: unknown, reason: string) =>
        void done.withdrawn.push(reason),
    }),
  );
  return { done, renew: (now: string) => renewals.renewSubscription(stored, new Date(`${now}Z`)) };
}

describe('PhoneNumberRenewalsService', () => {
  it('charges the next month to the available balance', async () => {
    const { done, renew } = theRenewals({});
    await renew('2027-02-28T08:00:00');
    expect(done.postings).toEqual([
      {
        accountId: 7,
        kind: 'phone-number',
        reference: '12:2',
        amountMicros: -2_000_000n,
        mayOverdraw: false,
      },
    ]);
    expect(done.changes).toEqual([
      {
        paidMonths: 2,
        unpaidSince: null,
        dueAt: new Date('2027-03-31T08:00:00Z'),
        subscriptionExpiresAt: new Date('2027-04-03T08:00:00Z'),
      },
    ]);
  });

  it.each<[string, Partial<PhoneNumber>]>([
    ['before the month is over', {}],
    ['for a number that is not billed', { priceMicros: null }],
  ])('charges nothing %s', async (_, number) => {
    const { done, renew } = theRenewals({ number });
    await renew('2027-02-28T07:59:59');
    expect(done.postings).toEqual([]);
  });

  it('reports once that a month is not paid', async () => {
    const first = theRenewals({ outcome: 'insufficient' });
    await first.renew('2027-02-28T08:00:00');
    expect(first.done.events).toEqual(['phone-number.unpaid']);
    const unpaidSince = new Date('2027-02-28T08:00:00Z');
    expect(first.done.changes).toEqual([{ dueAt: new Date('2027-02-28T08:15:00Z'), unpaidSince }]);
    const later = theRenewals({ outcome: 'insufficient', number: { unpaidSince } });
    await later.renew('2027-03-01T08:00:00');
    expect([later.done.events, later.done.withdrawn]).toEqual([[], []]);
  });

  it('withdraws the number after three days, once no call runs on it', async () => {
    const over = theRenewals({ outcome: 'insufficient' });
    await over.renew('2027-03-03T08:00:00');
    expect(over.done).toMatchObject({ changes: [], withdrawn: ['unpaid'] });
    const inUse = theRenewals({ outcome: 'insufficient', isInUse: true });
    await inUse.renew('2027-03-03T08:00:00');
    expect(inUse.done).toMatchObject({
      changes: [{ dueAt: new Date('2027-03-03T08:01:00Z') }],
      withdrawn: [],
    });
  });
});
