import { describe, expect, it } from '@jest/globals';
import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import { anAuditService } from '../audit/audit.fake.js';
import type { SpendLimitsService } from '../accounts/spend-limits.service.js';
import type { ErasedNumbersService } from '../suppressions/erased-numbers.service.js';
import { SmsMessage } from './entities/sms.entities.js';
import { SmsOrdersRepository, type SmsOrder } from './sms-orders.repository.js';
import { BalanceTooLow } from './sms.errors.js';

interface Record {
  n: number;
  account_id: number;
}

const order = (accountId: number): SmsOrder => ({
  accountId,
  apiKeyId: null,
  phoneNumberId: 1,
  from: '+14155550100',
  to: '+15005550006',
  body: 'x',
  segments: 1,
  segmentPriceMicros: 75_000n,
  requestId: null,
});

const NO_LIMITS = partialFake<SpendLimitsService>({});
const NONE_ERASED = partialFake<ErasedNumbersService>({ findErased: async () => new Set<string>() });
const isLock = (text: string): boolean => text.includes('lock_account');

/** A database that notes for which orders of which account it is asked. */
function theOrders(answer: (records: Record[]) => object[] | Promise<object[]>) {
  const asked: number[][] = [];
  const audit = anAuditService({
    query: async (text: string, values?: unknown[]) => {
      if (isLock(text)) return [] as never;
      const records = JSON.parse(String(values?.[0])) as Record[];
      asked.push(records.map(({ account_id }) => account_id));
      return (await answer(records)) as never;
    },
  });
  const db = partialFake<DataSource>({});
  return { orders: new SmsOrdersRepository(db, audit, NO_LIMITS, NONE_ERASED), asked };
}

const written = ({ n }: Record) => ({ n, id: n + 1 });

describe('SmsOrdersRepository', () => {
  it('places the orders of an account together, and blocks no other account', async () => {
    let unlock = (): void => undefined;
    const isUnlocked = new Promise<void>((resolve) => (unlock = resolve));
    const { orders, asked } = theOrders(async (records) => {
      if (records[0]?.account_id === 2) await isUnlocked;
      return records.map(written);
    });
    const waiting = [2, 2].map((account) => orders.placeOrder(order(account)));
    const placed = await Promise.all([1, 1].map((account) => orders.placeOrder(order(account))));
    unlock();
    placed.push(...(await Promise.all(waiting)));
    expect(placed.map(({ message }) => message.accountId)).toEqual([1, 1, 2, 2]);
    expect(asked).toEqual([
      [2, 2],
      [1, 1],
    ]);
  });

  it('retries once when the database ends the statement because of other statements', async () => {
    const driverError = Object.assign(new Error('lock timeout'), { code: '55P03' });
    const { orders, asked } = theOrders(() => {
      throw new QueryFailedError('', [], driverError);
    });
    const outcomes = await Promise.allSettled([1, 1, 1].map((account) => orders.placeOrder(order(account))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(asked).toHaveLength(1);
  });

  it('refuses the orders that are not written, and only those', async () => {
    const { orders } = theOrders((records) => records.filter(({ n }) => n !== 1).map(written));
    const outcomes = await Promise.allSettled([1, 1, 1].map((account) => orders.placeOrder(order(account))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: new BalanceTooLow() });
  });

  it('returns the message that another process has placed for the same request', async () => {
    const theirs = Object.assign(new SmsMessage(), { id: 7, requestId: '12' });
    const audit = anAuditService({
      query: async () => {
        throw new QueryFailedError('', [], Object.assign(new Error('taken'), { code: '23505' }));
      },
    });
    const db = partialFake<DataSource>({
      manager: partialFake<EntityManager>({
        findOneBy: (async (_: unknown, { requestId }: { requestId: string }) =>
          requestId === theirs.requestId ? theirs : null) as never,
      }),
    });
    const orders = new SmsOrdersRepository(db, audit, NO_LIMITS, NONE_ERASED);
    expect(await orders.placeOrder({ ...order(1), requestId: '12' })).toEqual({
      message: theirs,
      isNew: false,
    });
    await expect(orders.placeOrder(order(1))).rejects.toThrow('taken');
  });
});
