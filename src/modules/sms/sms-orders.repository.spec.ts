import { describe, expect, it } from '@jest/globals';
import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { fakeOf } from '#src/common/partial.fake.js';
import { SmsMessage } from './entities/sms.entities.js';
import { SmsOrdersRepository, type SmsOrder } from './sms-orders.repository.js';
import { BalanceTooLow } from './sms.errors.js';

interface Record {
  n: number;
  account_id: number;
}

const order = (accountId: number): SmsOrder => ({
  accountId,
  phoneNumberId: 1,
  from: '+14155550100',
  to: '+15005550006',
  body: 'x',
  segments: 1,
  segmentPriceMicros: 75_000n,
  requestId: null,
});

/** A database that notes for how many orders of which accounts it is asked. */
function theOrders(answer: (records: Record[], waits: boolean) => object[]) {
  const asked: { accounts: number[]; waits: boolean }[] = [];
  const db = fakeOf<DataSource>({
    query: async (_text: string, values?: unknown[]) => {
      const records = JSON.parse(String(values?.[0])) as Record[];
      const waits = values?.[1] === false;
      asked.push({ accounts: records.map(({ account_id }) => account_id), waits });
      return answer(records, waits) as never;
    },
  });
  return { orders: new SmsOrdersRepository(db), asked };
}

const written = ({ n }: Record) => ({ n, is_paid: true, id: n + 1 });

describe('SmsOrdersRepository', () => {
  it('waits for a locked account apart from the others, for all of its orders together', async () => {
    const { orders, asked } = theOrders((records, waits) =>
      records.map((record) =>
        record.account_id === 2 && !waits ? { ...written(record), is_paid: null, id: null } : written(record),
      ),
    );
    const placed = await Promise.all([1, 2, 1, 2].map((account) => orders.placeOrder(order(account))));
    expect(placed.map(({ message }) => message.accountId)).toEqual([1, 2, 1, 2]);
    expect(asked).toEqual([
      { accounts: [1, 2, 1, 2], waits: false },
      { accounts: [2, 2], waits: true },
    ]);
  });

  it('asks once when the database ends the statement for what others were doing', async () => {
    const driverError = Object.assign(new Error('lock timeout'), { code: '55P03' });
    const { orders, asked } = theOrders(() => {
      throw new QueryFailedError('', [], driverError);
    });
    const outcomes = await Promise.allSettled([1, 1, 1].map((account) => orders.placeOrder(order(account))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(asked).toHaveLength(1);
  });

  it('refuses the orders that were not written, and only those', async () => {
    const { orders } = theOrders((records) =>
      records.map((record) => ({
        ...written(record),
        is_paid: record.n !== 1,
        id: record.n === 1 ? null : 1,
      })),
    );
    const outcomes = await Promise.allSettled([1, 1, 1].map((account) => orders.placeOrder(order(account))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: new BalanceTooLow() });
  });

  it('returns the message that another process has placed for the same request', async () => {
    const theirs = Object.assign(new SmsMessage(), { id: 7, requestId: '12' });
    const db = fakeOf<DataSource>({
      query: async () => {
        throw new QueryFailedError('', [], Object.assign(new Error('taken'), { code: '23505' }));
      },
      manager: fakeOf<EntityManager>({
        findOneBy: (async (_: unknown, { requestId }: { requestId: string }) =>
          requestId === theirs.requestId ? theirs : null) as never,
      }),
    });
    const orders = new SmsOrdersRepository(db);
    expect(await orders.placeOrder({ ...order(1), requestId: '12' })).toEqual({
      message: theirs,
      isNew: false,
    });
    await expect(orders.placeOrder(order(1))).rejects.toThrow('taken');
  });
});
