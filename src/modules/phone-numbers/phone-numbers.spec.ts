import { describe, expect, it } from '@jest/globals';
import { toPhoneNumberResponse, toPhoneNumberView } from './dto/phone-number.response.js';
import { PhoneNumber } from './entities/phone-number.entity.js';

const number = (fields: Partial<PhoneNumber>): PhoneNumber =>
  Object.assign(
    new PhoneNumber(),
    { state: 'active', type: 'local', subscriptionExpiresAt: null, createdAt: new Date(0) },
    fields,
  );

describe('phone number', () => {
  it.each([
    ['without an end', null, true],
    ['ending later', new Date(Date.now() + 60_000), true],
    ['ended', new Date(Date.now() - 60_000), false],
  ])('has an active subscription, or not: %s', (_title, subscriptionExpiresAt, active) => {
    expect(toPhoneNumberView(number({ subscriptionExpiresAt })).subscriptionActive).toBe(active);
    expect(toPhoneNumberResponse(number({ subscriptionExpiresAt })).has_active_subscription).toBe(active);
  });

  it.each(['buying', 'releasing', 'released'] as const)('has no active subscription while %s', (state) => {
    expect(toPhoneNumberView(number({ state })).subscriptionActive).toBe(false);
  });

  it.each([
    ['local', 'Local'],
    ['toll_free', 'Toll free'],
  ])('shows its type %s as %s', (type, label) => {
    expect(toPhoneNumberResponse(number({ type })).type_label).toBe(label);
  });
});
