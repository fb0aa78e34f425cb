import { eventType } from '#src/events/event-type.js';

export interface PhoneNumberFact {
  phoneNumberId: number;
  accountId: number;
}

/** The balance does not cover the next month; the number stays active for the days of grace. */
export const PhoneNumberUnpaid = eventType<PhoneNumberFact>('phone-number.unpaid');
/** The number is no longer the account's: released by its user, or not paid until the days of grace were over. */
export const PhoneNumberWithdrawn = eventType<PhoneNumberFact & { reason: WithdrawalReason }>(
  'phone-number.withdrawn',
);

export type WithdrawalReason = 'released' | 'unpaid';
