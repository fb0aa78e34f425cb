import { defineEvent } from '#src/events/event-type.js';

export interface PhoneNumberEventPayload {
  phoneNumberId: number;
  accountId: number;
}

/** The balance does not cover the next month; the number stays active for the days of grace. */
export const PhoneNumberUnpaid = defineEvent<PhoneNumberEventPayload>('phone-number.unpaid');
/** The number is no longer the account's: released by its user, or not paid until the days of grace were over. */
export const PhoneNumberWithdrawn = defineEvent<PhoneNumberEventPayload & { reason: WithdrawalReason }>(
  'phone-number.withdrawn',
);

export type WithdrawalReason = 'released' | 'unpaid';
