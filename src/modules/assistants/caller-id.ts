import type { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { AssistantView } from './assistant-view.js';

/** Selects the number that a single call is made from. */
export class CallerIds {
  constructor(private readonly numbers: PhoneNumbersService) {}

  /** The assistant's own number, else the account's oldest one; null: none has an active subscription. */
  async callerId({
    accountId,
    phoneNumberId,
  }: Pick<AssistantView, 'accountId' | 'phoneNumberId'>): Promise<string | null> {
    const own = phoneNumberId === null ? null : await this.numbers.findPhoneNumber(accountId, phoneNumberId);
    const number = own?.subscriptionActive ? own : await this.numbers.findOldestActive(accountId);
    return number?.phoneNumber ?? null;
  }
}
