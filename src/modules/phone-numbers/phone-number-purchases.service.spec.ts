import { describe, expect, it } from '@jest/globals';
import { partialFake } from '#src/common/partial.fake.js';
import { JobQueue } from '#src/queue/job-queue.js';
import type { AccountsService, AccountView } from '../accounts/accounts.service.js';
import { CarrierError } from '../telephony/carrier-error.js';
import type { CarrierNumber, CarrierNumbers } from '../telephony/carrier-numbers.js';
import { PhoneNumber, type PhoneNumberState } from './entities/phone-number.entity.js';
import type { NumberPricesService } from './number-prices.service.js';
import type { PhoneNumberOrdersService } from './phone-number-orders.service.js';
import { PhoneNumberPurchasesService } from './phone-number-purchases.service.js';
import { PhoneNumberNotAvailable, PurchaseFailed } from './phone-numbers.errors.js';

const NUMBER = '+14152345678';
const ORDERED_AT = new Date('2027-01-10T08:00:00Z');

const silent = new CarrierError('no answer', 'unknown');
const failed = new CarrierError('failed', 'unknown', { code: 20500 });
const taken = new CarrierError('taken', 'rejected', { code: 21422 });
const limited = new CarrierError('too many', 'rejected', { code: 20429, retryable: true });

const numberAt = (createdAt: Date): CarrierNumber => ({
  sid: 'PN1',
  phoneNumber: NUMBER,
  smsCapable: true,
  isConnected: true,
  createdAt,
});

interface Situation {
  buy: () => Promise<CarrierNumber>;
  /** The number in the carrier's list. */
  find?: () => Promise<CarrierNumber | null>;
  confirm?: () => Promise<void>;
  /** What an earlier attempt at the request ordered. */
  begun?: PhoneNumberState;
}

function theShop({ buy, find = async () => null, confirm, begun }: Situation) {
  const number = Object.assign(new PhoneNumber(), {
    id: 1,
    phoneNumber: NUMBER,
    state: begun ?? 'buying',
    createdAt: ORDERED_AT,
  });
  const done = { asked: 0, failed: [] as boolean[], woken: 0 };
  const purchases = new PhoneNumberPurchasesService(
    partialFake<CarrierNumbers>({ buyNumber: async () => (done.asked++, buy()), findNumber: find }),
    partialFake<AccountsService>({ accountView: async () => ({ country: 'US' }) as AccountView }),
    partialFake<NumberPricesService>({ findPrice: async () => 2_000_000n }),
    partialFake<PhoneNumberOrdersService>({
      findByRequest: async () => (begun ? number : null),
      orderNumber: async () => number,
      confirmOrder: async () => {
        await confirm?.();
        return Object.assign(number, { state: 'active' });
      },
      failOrder: async (_: number, isCertain: boolean) => void done.failed.push(isCertain),
      checkOrderSoon: async () => number,
    }),
    partialFake<JobQueue>({ enqueue: () => void done.woken++ }),
  );
  return { purchases, number, done, purchase: () => purchases.purchasePhoneNumber(7, NUMBER, '1') };
}

const fails = (reason: Error) => async (): Promise<never> => {
  throw reason;
};
const bought = async (): Promise<CarrierNumber> => numberAt(ORDERED_AT);

describe('PhoneNumberPurchasesService', () => {
  it('is done when the carrier confirms', async () => {
    const { purchase, done } = theShop({ buy: bought });
    expect((await purchase()).message).toBe('Phone number purchased successfully');
    expect(done).toEqual({ asked: 1, failed: [], woken: 0 });
  });

  it.each([
    ['refuses', taken, PhoneNumberNotAvailable],
    ['has too many requests', limited, PurchaseFailed],
  ])('refunds the price when the carrier %s', async (_, refusal, error) => {
    const { purchase, done } = theShop({ buy: fails(refusal) });
    await expect(purchase()).rejects.toThrow(error);
    expect(done.failed).toEqual([true]);
  });

  it.each([silent, failed])(
    'looks up a number after a lost response and requests it once (%s)',
    async (reason) => {
      const { purchase, done } = theShop({ buy: fails(reason), find: bought });
      expect((await purchase()).message).toBe('Phone number purchased successfully');
      expect(done).toEqual({ asked: 1, failed: [], woken: 0 });
    },
  );

  it('does not claim a number that the carrier had before', async () => {
    const { purchase, done } = theShop({
      buy: fails(failed),
      find: async () => numberAt(new Date('2027-01-10T07:58:00Z')),
    });
    await expect(purchase()).rejects.toThrow(PurchaseFailed);
    // Checked once more later.
    expect(done.failed).toEqual([false]);
  });

  it.each<[string, Situation]>([
    ['nothing is known', { buy: fails(silent) }],
    ['the list cannot be read', { buy: fails(failed), find: fails(silent) }],
    ['the purchase cannot be written', { buy: bought, confirm: fails(new Error('database')) }],
  ])('stays unconfirmed when %s', async (_, situation) => {
    const { purchase, done } = theShop(situation);
    expect((await purchase()).message).toBe('Phone number ordered, the provider has not confirmed it yet');
    expect(done).toEqual({ asked: 1, failed: [], woken: 1 });
  });

  it.each<[PhoneNumberState, string]>([
    ['active', 'Phone number purchased successfully'],
    ['buying', 'Phone number ordered, the provider has not confirmed it yet'],
  ])('does not repeat a request whose number is %s', async (begun, message) => {
    const { purchase, done } = theShop({ buy: bought, begun });
    expect((await purchase()).message).toBe(message);
    expect(done.asked).toBe(0);
  });

  it('refuses a repeated request whose number is not bought', async () => {
    await expect(theShop({ buy: bought, begun: 'failed' }).purchase()).rejects.toThrow(
      PhoneNumberNotAvailable,
    );
  });

  it.each([
    [59, []],
    [61, [false]],
  ])('abandons an order that the carrier does not list: after %i s %j', async (seconds, refunds) => {
    const { purchases, number, done } = theShop({ buy: bought });
    await purchases.reconcileOrder(number, new Date(ORDERED_AT.getTime() + seconds * 1000));
    expect(done.failed).toEqual(refunds);
  });
});
