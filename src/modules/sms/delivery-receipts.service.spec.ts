import { describe, expect, it } from '@jest/globals';
import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import type { LedgerService } from '../accounts/ledger.service.js';
import { DeliveryReceiptsService, nextStatus, previousStatuses } from './delivery-receipts.service.js';
import { SmsMessage } from './entities/sms.entities.js';

describe('statusAfter', () => {
  it.each([
    ['pending', 'queued', 'sent'],
    ['pending', 'sent', 'sent'],
    ['pending', 'delivered', 'delivered'],
    ['pending', 'failed', 'failed'],
    ['sent', 'delivered', 'delivered'],
    ['sent', 'failed', 'failed'],
    // Late and out of order.
    ['sent', 'queued', 'sent'],
    ['delivered', 'sent', 'delivered'],
    ['delivered', 'failed', 'delivered'],
    ['failed', 'delivered', 'failed'],
    ['failed', 'sent', 'failed'],
  ] as const)('%s after the report %s is %s', (current, report, next) => {
    expect(nextStatus(current, report)).toBe(next);
  });
});

describe('statusesBefore', () => {
  it('returns all statuses before each status', () => {
    expect(previousStatuses('pending')).toEqual([]);
    expect(previousStatuses('sent')).toEqual(['pending']);
    expect(previousStatuses('delivered')).toEqual(['pending', 'sent']);
  });
});

describe('DeliveryReceiptsService', () => {
  it('writes simultaneous reports of one message once, as the last one', async () => {
    const asked: unknown[] = [];
    const db = partialFake<DataSource>({
      query: (async (_text: string, [told]: [string]) => {
        const records = JSON.parse(told) as { n: number; sid: string; status: string }[];
        asked.push(...records);
        return records.map(({ n, sid, status }) => ({ n, id: n + 1, sms_sid: sid, status }));
      }) as never,
      manager: partialFake<EntityManager>({ findOneBy: (async () => Promise.reject(new Error())) as never }),
    });
    const receipts = new DeliveryReceiptsService(db, partialFake<LedgerService>({}));
    const message = Object.assign(new SmsMessage(), { id: 1, token: 'a' });
    const [accepted] = await Promise.all([
      receipts.applyResponse(message, { sid: 'SM1', status: 'queued' }),
      receipts.applyReport('a', { sid: 'SM1', status: 'sent' }),
      receipts.applyReport('b', { sid: 'SM2', status: 'failed', error: 'The provider could not deliver it' }),
      receipts.applyReport('a', { sid: 'SM1', status: 'delivered' }),
    ]);
    expect(accepted).toMatchObject({ id: 1, smsSid: 'SM1', status: 'delivered' });
    expect(asked).toMatchObject([
      { n: 0, token: 'a', sid: 'SM1', status: 'delivered', error: null, former: ['pending', 'sent'] },
      { n: 1, token: 'b', sid: 'SM2', status: 'failed', error: 'The provider could not deliver it' },
    ]);
  });

  it('moves an identifier away from a message that has it from a list', async () => {
    const message = Object.assign(new SmsMessage(), { id: 7, token: 'own', smsSid: null, status: 'pending' });
    const other = Object.assign(new SmsMessage(), { id: 8, smsSid: 'SM1', status: 'sent' });
    const updates: unknown[][] = [];
    const tx = partialFake<EntityManager>({
      find: (async () => [message, other]) as never,
      update: (async (_: unknown, ...update: unknown[]) => void updates.push(update)) as never,
    });
    const db = partialFake<DataSource>({
      query: (async () => {
        throw new QueryFailedError('', [], Object.assign(new Error('taken'), { code: '23505' }));
      }) as never,
      transaction: (async (work: (tx: EntityManager) => Promise<void>) => work(tx)) as never,
    });
    const ledger = partialFake<LedgerService>({ isPosted: async () => false });
    const receipts = new DeliveryReceiptsService(db, ledger);
    await receipts.applyReport('own', { sid: 'SM1', status: 'sent' });
    expect(updates).toMatchObject([
      [{ id: 8 }, { smsSid: null, status: 'pending' }],
      [{ id: 7 }, { smsSid: 'SM1', status: 'sent' }],
    ]);
  });
});
