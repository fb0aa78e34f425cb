import { describe, expect, it } from '@jest/globals';
import { type DataSource, type EntityManager, UpdateResult } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import type { DomainEventsService } from '#src/events/domain-events.service.js';
import { anAuditService } from '../audit/audit.fake.js';
import { CarrierError } from '../telephony/carrier-error.js';
import type { CarrierNumbers } from '../telephony/carrier-numbers.js';
import { PhoneNumber } from './entities/phone-number.entity.js';
import { PhoneNumberReleasesService } from './phone-number-releases.service.js';

function theReleases({ carrierSid = 'PN1' as string | null, isOwned = false, isAway = false } = {}) {
  const number = Object.assign(new PhoneNumber(), { id: 1, phoneNumber: '+14152345678', carrierSid });
  const done = { released: [] as string[], changes: [] as object[] };
  const releases = new PhoneNumberReleasesService(
    partialFake<DataSource>({
      manager: partialFake<EntityManager>({
        exists: async () => isOwned,
        update: async (_entity: unknown, _where: unknown, changes: object) => {
          done.changes.push(changes);
          return new UpdateResult();
        },
      }),
    }),
    partialFake<DomainEventsService>({}),
    partialFake<CarrierNumbers>({
      findNumber: async () => null,
      releaseNumber: async (sid: string) => {
        if (isAway) throw new CarrierError('no answer', 'unknown');
        done.released.push(sid);
      },
    }),
    anAuditService(),
  );
  return { releases, number, done };
}

describe('PhoneNumberReleasesService', () => {
  it('releases a number at the carrier', async () => {
    const { releases, number, done } = theReleases();
    await releases.finishRelease(number);
    expect(done).toEqual({ released: ['PN1'], changes: [{ state: 'released', dueAt: null }] });
  });

  it('has nothing to release at the carrier for a number that it does not have', async () => {
    const { releases, number, done } = theReleases({ carrierSid: null });
    await releases.finishRelease(number);
    expect(done).toEqual({ released: [], changes: [{ state: 'released', dueAt: null }] });
  });

  it('releases it later when the carrier is unavailable', async () => {
    const { releases, number, done } = theReleases({ isAway: true });
    await releases.finishRelease(number);
    expect(done.changes).toEqual([{ dueAt: expect.any(Date) }]);
  });

  it.each([
    ['what an order bought after it was given up', 'PN2', false, ['PN2']],
    ['nothing that another order has', 'PN2', true, []],
    ['nothing that the carrier does not have', null, false, []],
  ])('releases %s', async (_, sid, isOwned, released) => {
    const { releases, number, done } = theReleases({ isOwned });
    await releases.releaseAbandonedPurchase(number, sid);
    expect(done).toEqual({ released, changes: [{ dueAt: null }] });
  });
});
