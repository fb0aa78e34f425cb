import { hasActiveSubscription, type PhoneNumber } from './entities/phone-number.entity.js';

/** What other modules may know of a phone number. */
export interface PhoneNumberView {
  id: number;
  accountId: number;
  /** E.164 */
  phoneNumber: string;
  /** ISO 3166-1 alpha-2 */
  countryCode: string;
  smsCapable: boolean;
  /** False: expired, no number to call or to write from. */
  subscriptionActive: boolean;
}

export const toPhoneNumberView = (number: PhoneNumber): PhoneNumberView => ({
  id: number.id,
  accountId: number.accountId,
  phoneNumber: number.phoneNumber,
  countryCode: number.countryCode,
  smsCapable: number.smsCapable,
  subscriptionActive: hasActiveSubscription(number),
});
