import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import {
  aNumberForSale,
  balanceOf,
  BUSY_CARRIER,
  ERROR_AFTER,
  ERROR_BEFORE,
  NEEDS_ADDRESS,
  numberRow,
  paidFor,
  PRICE,
  purchase,
  TAKEN,
} from '../support/bought-numbers.js';
import { database } from '../support/database.js';
import { callFromOutside } from '../support/sandbox.js';
import { until } from '../support/until.js';

interface ForSale {
  phone_number: string;
  price: number;
}

describe('searching phone numbers', () => {
  let user: TestAccount;
  const search = (query: string) =>
    user.client.get<{ data: ForSale[] }>(`/user/phone-numbers/search${query}`);

  beforeAll(async () => {
    user = await anAccount();
  });

  it('lists numbers of all types in the country of the account, with the price of a month', async () => {
    const { status, body } = await search('');
    expect(status).toBe(200);
    expect(body.data).toHaveLength(40);
    expect(body.data[0]).toEqual({
      phone_number: expect.stringMatching(/^\+1415\d{7}$/),
      phone_number_formatted: expect.stringMatching(/^\+1 415 \d{3} \d{4}$/),
      country_code: 'US',
      price: PRICE,
      address_requirements: 'none',
      sms_capable: true,
    });
    expect(body.data.some(({ phone_number }) => phone_number.startsWith('+1888'))).toBe(true);
  });

  it('accepts a country and a part of the number', async () => {
    const german = await search('?country_code=de');
    expect(german.body.data[0]).toMatchObject({ country_code: 'DE' });
    const { body } = await search('?country_code=US&contains=%2B1212');
    expect(body.data.length).toBeGreaterThan(0);
    for (const { phone_number } of body.data) expect(phone_number).toMatch(/^\+1212/);
    expect((await search('?country_code=FR')).body).toEqual({ data: [] });
  });

  it.each([
    ['?country_code=UK', { country_code: ['The selected country code is invalid.'] }],
    [
      '?country_code=DEU',
      { country_code: ['The country code field must not be greater than 2 characters.'] },
    ],
    ['?contains=(415)', { contains: ['The contains field format is invalid.'] }],
    ['?contains=4', { contains: ['The contains field must be at least 2 characters.'] }],
  ])('refuses %s', async (query, errors) => {
    const { status, body } = await search(query);
    expect([status, body]).toEqual([422, { message: 'The given data was invalid.', errors }]);
  });
});

describe('purchasing a phone number', () => {
  let user: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount(), anAccount()]);
  });

  it('charges the first month, and the number can be called and written from at once', async () => {
    const before = await balanceOf(user);
    const number = aNumberForSale();
    const { status, body } = await purchase(user, number);
    expect([status, body]).toEqual([
      201,
      {
        message: 'Phone number purchased successfully',
        data: {
          id: expect.any(Number),
          phone_number: number,
          country_code: 'US',
          type: 'local',
          sms_capable: true,
        },
      },
    ]);
    expect(await balanceOf(user)).toBe(before - PRICE);
    const { body: ledger } = await user.client.get<{ data: object[] }>('/user/ledger');
    expect(ledger.data[0]).toMatchObject({
      kind: 'phone-number',
      reference: `${body.data.id}:1`,
      amount: -PRICE,
    });
    const { body: numbers } = await user.client.get<object[]>('/user/phone-numbers');
    expect(numbers[0]).toMatchObject({ id: body.data.id, has_active_subscription: true });
    // The number's own addresses at the carrier lead to the service.
    await anAssistant(user, { calls_direction: 'receive', phone_number_id: body.data.id });
    await callFromOutside(number, '+14155550199', '0023');
    await until(async () => {
      const calls = await user.client.get<{ data: { status: string }[] }>('/user/calls?type=inbound');
      return calls.body.data[0]?.status === 'completed';
    });
  });

  it.each([
    ['that somebody else was quicker to buy', TAKEN, 422, 'The phone number is not available.'],
    [
      'that requires an address',
      NEEDS_ADDRESS,
      422,
      'The phone number requires an address that the provider does not have.',
    ],
    ['when the carrier fails', ERROR_BEFORE, 500, 'Failed to purchase the phone number'],
    ['when the carrier has too many requests', BUSY_CARRIER, 500, 'Failed to purchase the phone number'],
  ])('refunds a number %s', async (_, last, wanted, message) => {
    const before = await balanceOf(user);
    const number = aNumberForSale(last);
    const { status, body } = await purchase(user, number);
    expect([status, body]).toEqual([wanted, { message }]);
    expect(await balanceOf(user)).toBe(before);
    const { text } = await user.client.get('/user/phone-numbers/all');
    expect(text).not.toContain(number);
  });

  it('looks up a number whose purchase gets an error', async () => {
    const before = await balanceOf(user);
    const { status, body } = await purchase(user, aNumberForSale(ERROR_AFTER));
    expect([status, body.message]).toEqual([201, 'Phone number purchased successfully']);
    expect(await numberRow(body.data.id)).toMatchObject({
      state: 'active',
      carrier_sid: expect.stringMatching(/^PN/),
    });
    expect(await balanceOf(user)).toBe(before - PRICE);
  });

  it('refuses a number that does not exist, that the carrier does not sell or that another account owns', async () => {
    const invalid = await purchase(user, '12');
    expect([invalid.status, invalid.body]).toEqual([
      422,
      {
        message: 'The given data was invalid.',
        errors: { phone_number: ['The phone number field must be a valid phone number.'] },
      },
    ]);
    for (const number of ['+33123456789', other.phoneNumber.phone_number]) {
      const { status, body } = await purchase(user, number);
      expect([status, body]).toEqual([422, { message: 'The phone number is not available.' }]);
    }
  });

  it('refuses when the balance, without the hold of a running call, does not cover the month', async () => {
    const poor = await anAccount({ balance: PRICE + 0.04 });
    const call = await aCall(poor, await anAssistant(poor, { max_call_duration: 60 }), {
      phoneNumber: '+15005550022',
    });
    const { status, body } = await purchase(poor, aNumberForSale());
    expect([status, body]).toEqual([402, { message: 'Insufficient balance to purchase the number.' }]);
    const { body: numbers } = await poor.client.get<{ data: object[] }>('/user/phone-numbers/all');
    expect(numbers.data).toHaveLength(1);
    await callWhen(poor, call, ({ status: now }) => now === 'in-progress');
  });

  it('buys and charges once when two accounts and 200 requests request one number', async () => {
    const number = aNumberForSale();
    const [first, second] = await Promise.all([anAccount(), anAccount()]);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => purchase(index % 2 ? first : second, number)),
    );
    const bought = answers.filter(({ status }) => status === 201);
    expect(bought).toHaveLength(1);
    for (const answer of answers.filter((one) => !bought.includes(one))) {
      expect([answer.status, answer.body]).toEqual([422, { message: 'The phone number is not available.' }]);
    }
    expect((await balanceOf(first)) + (await balanceOf(second))).toBe(200 - PRICE);
  });

  it('refuses more than 1,000 numbers of an account', async () => {
    const rich = await anAccount();
    await database().query(
      `INSERT INTO phone_numbers (account_id, phone_number, country_code)
       SELECT $1::int, '+1900' || $1::int || lpad(i::text, 4, '0'), 'US' FROM generate_series(1, 999) i`,
      [rich.id],
    );
    const { status, body } = await purchase(rich, aNumberForSale());
    expect([status, body]).toEqual([422, { message: 'An account can have at most 1000 phone numbers.' }]);
    expect(await balanceOf(rich)).toBe(100);
  });

  it('responds to a repeated Idempotency-Key with the first purchase', async () => {
    const number = aNumberForSale();
    const headers = { 'Idempotency-Key': randomUUID() };
    const [one, again] = [await purchase(user, number, headers), await purchase(user, number, headers)];
    expect([again.status, again.text]).toEqual([201, one.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await paidFor(one.body.data.id)).toHaveLength(1);
  });
});
