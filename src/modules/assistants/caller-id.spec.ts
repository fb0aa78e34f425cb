import { describe, expect, it } from '@jest/globals';
import { partialFake } from '#src/common/partial.fake.js';
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
    partialFake<PhoneNumbersService>({
      findPhoneNumber: async (_userId, id) => owned.find((number) => number.id === id) ?? null,
      findOldestActive: async () => owned.find(({ subscriptionActive }) => subscriptionActive) ?? null,
    }),
  );

const withNumber = (phoneNumberId: number | null) => ({ accountId: 7, phoneNumberId });

describe('CallerIds', () => {
  it("uses the assistant's own number", async () => {
    expect(await callerIds().callerId(withNumber(4))).toBe('+14155550104');
  });

  it("uses the account's oldest active number when the assistant has none or an inactive one", async () => {
    expect(await callerIds().callerId(withNumber(null))).toBe('+14155550101');
    expect(await callerIds().callerId(withNumber(2))).toBe('+14155550101');
  });

  it('is null without an active number', async () => {
    expect(await callerIds([]).callerId(withNumber(null))).toBeNull();
  });
});
