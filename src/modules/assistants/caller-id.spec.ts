import { describe, expect, it } from '@jest/globals';
import { fakeOf } from '#src/common/partial.fake.js';
import type { PhoneNumberView } from '../phone-numbers/dto/phone-number.response.js';
import type { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { CallerIds } from './caller-id.js';

const numbers = [
  { id: 1, phoneNumber: '+14155550101', subscriptionActive: true },
  { id: 2, phoneNumber: '+14155550102', subscriptionActive: false },
  { id: 3, phoneNumber: '+14155550103', subscriptionActive: true },
  { id: 4, phoneNumber: '+14155550104', subscriptionActive: true },
] as PhoneNumberView[];

const callerIds = (owned = numbers): CallerIds =>
  new CallerIds(
    fakeOf<PhoneNumbersService>({
      findPhoneNumbers: async (_userId, ids) => owned.filter(({ id }) => ids.includes(id)),
      findPhoneNumber: async (_userId, id) => owned.find((number) => number.id === id) ?? null,
      oldestActive: async () => owned.find(({ subscriptionActive }) => subscriptionActive) ?? null,
    }),
  );

const withNumber = (phoneNumberId: number | null) => ({ accountId: 7, phoneNumberId });

describe('CallerIds', () => {
  it("rotates over the given numbers that are active, before the assistant's own", async () => {
    const ids = callerIds();
    const used: (string | null)[] = [];
    for (let call = 0; call < 3; call++) used.push(await ids.next(withNumber(1), [2, 3, 4]));
    expect(used).toEqual(['+14155550103', '+14155550104', '+14155550103']);
  });

  it("takes the assistant's own number when none is given, and no other where none of the given ones is active", async () => {
    expect(await callerIds().next(withNumber(4), [2])).toBeNull();
    expect(await callerIds().next(withNumber(4))).toBe('+14155550104');
  });

  it("takes the account's oldest active number when the assistant has none or an inactive one", async () => {
    expect(await callerIds().next(withNumber(null))).toBe('+14155550101');
    expect(await callerIds().next(withNumber(2))).toBe('+14155550101');
  });

  it('is null without an active number', async () => {
    expect(await callerIds([]).next(withNumber(null), [1])).toBeNull();
  });
});
