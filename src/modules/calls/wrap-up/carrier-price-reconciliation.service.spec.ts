import { expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import type { CallChargesService } from './call-charges.service.js';
import type { CarrierCall, CarrierCalls } from '../../telephony/carrier-calls.js';
import type { CallReconciliationRepository } from '../states/call-reconciliation.repository.js';
import type { Call } from '../entities/call.entity.js';
import { CarrierPriceReconciliationService } from './carrier-price-reconciliation.service.js';
import { CarrierRecordsService } from './carrier-records.service.js';

async function settle(
  price: string | null,
  endedSecondsAgo = 60,
  posted = true,
  transferCalls: Pick<CarrierCall, 'status' | 'price'>[] = [],
) {
  const done: unknown[] = [];
  const db = partialFake<DataSource>({
    transaction: async <T>(...args: unknown[]) => (args.at(-1) as (tx: object) => Promise<T>)({}),
  });
  const checks = partialFake<CallReconciliationRepository>({
    schedulePriceCheck: async (_id, inMs) => void done.push(inMs === null ? 'never' : 'again'),
    setCarrierPrice: async (_tx: unknown, _id: number, carrier: bigint, total: bigint) =>
      void done.push({ carrier, total }),
  });
  const charges = partialFake<CallChargesService>({
    chargeLateCarrierPrice: async (_tx: unknown, late: { carrierCostMicros: bigint }) => {
      if (posted) done.push(`charged ${late.carrierCostMicros}`);
      return posted;
    },
  });
  const carrier = partialFake<CarrierCalls>({
    fetchCall: async () => ({ price }) as CarrierCall,
    transferCalls: async () => transferCalls as CarrierCall[],
  });
  const endedAt = new Date(Date.now() - endedSecondsAgo * 1000);
  const transfers = transferCalls.map(() => ({}));
  const call = {
    id: 7,
    accountId: 1,
    carrierSid: 'CA1',
    totalCostMicros: 50_000n,
    endedAt,
    transfers,
  } as Call;
  const records = new CarrierRecordsService(carrier);
  await new CarrierPriceReconciliationService(db, checks, charges, records).reconcilePrice(call);
  return done;
}

it('charges the price when it is known, and adds it to the total', async () => {
  expect(await settle('0.014')).toEqual(['charged 14000', { carrier: 14_000n, total: 64_000n }]);
});

it('does not add it to the total a second time', async () => {
  expect(await settle('0.014', 60, false)).toEqual([]);
});

it('requests it again for a day while it is missing', async () => {
  expect(await settle(null)).toEqual(['again']);
  expect(await settle(null, 25 * 3600)).toEqual(['never']);
});

it('adds the prices of the calls to people to whom the call was transferred', async () => {
  const answered = { status: 'completed', price: '0.016' } as const;
  const busy = { status: 'busy', price: null } as const;
  expect(await settle('0.014', 60, true, [busy, answered])).toEqual([
    'charged 30000',
    { carrier: 30_000n, total: 80_000n },
  ]);
  expect(await settle('0.014', 60, true, [{ ...answered, price: null }])).toEqual(['again']);
});
