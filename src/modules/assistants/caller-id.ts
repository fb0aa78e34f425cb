import type { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { AssistantView } from './assistant-view.js';

/** Selects the number that a call is made from: one with an active subscription, or null. */
export class CallerIds {
  /** Position of the rotation. Kept in memory: each worker rotates on its own, also after a restart. */
  private turn = 0;

  constructor(private readonly numbers: PhoneNumbersService) {}

  /** The next of `rotating` in rotation; where it is empty, the assistant's own, else the account's oldest active one. */
  async next(
    { accountId, phoneNumberId }: Pick<AssistantView, 'accountId' | 'phoneNumberId'>,
    rotating: number[] = [],
  ): Promise<string | null> {
    const owned = await this.numbers.findPhoneNumbers(accountId, rotating);
    const active = owned.filter(({ subscriptionActive }) => subscriptionActive);
    if (active.length > 0) return active[this.turn++ % active.length]?.phoneNumber ?? null;
    if (rotating.length > 0) return null;
    const own = phoneNumberId === null ? null : await this.numbers.findPhoneNumber(accountId, phoneNumberId);
    const number = own?.subscriptionActive ? own : await this.numbers.oldestActive(accountId);
    return number?.phoneNumber ?? null;
  }
}
